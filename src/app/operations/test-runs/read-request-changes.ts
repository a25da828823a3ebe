import { Failure } from '../../../kit/index.ts'
import { REQUEST_CHANGES, type RunConfiguration } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'

type Given = Parameters<Handler<'startTest'>>[0]['testConfigsAdvancedSettings']

/** What changes in every request of a run; null for nothing. @throws Failure INVALID_FIELD for an unknown operatorType */
export function readRequestChanges(given: Given | undefined): RunConfiguration['requestChanges'] {
  if (given === null || given === undefined) return null
  const unknown = given.some(
    ({ operatorType }) => !REQUEST_CHANGES.includes(operatorType.trim().toUpperCase()),
  )
  if (unknown) throw new Failure('INVALID_FIELD', { field: 'operatorType' })
  return given
}
