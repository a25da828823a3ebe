import { Failure, nowSeconds } from '../../../kit/index.ts'
import type { IssueStatus } from '../../../store/index.ts'

/** When an issue that is ignored opens again; 0 for never. @throws Failure IGNORE_UNTIL_PAST */
export function readUntil(status: IssueStatus, until: number): number {
  if (status !== 'IGNORED' || until <= 0) return 0
  if (until <= nowSeconds()) throw new Failure('IGNORE_UNTIL_PAST', {})
  return until
}
