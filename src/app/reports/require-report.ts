import { Failure, isHexId } from '../../kit/index.ts'
import { findReport, type ReportState } from '../../reports/index.ts'
import type { Store } from '../../store/index.ts'
import type { Caller } from '../handler.ts'

/**
 * A report that the caller may have: its own, or any when the caller may see all collections.
 *
 * @throws Failure with `code` when there is none
 */
export async function requireReport(
  store: Store,
  caller: Caller,
  id: string,
  code = 'REPORT_NOT_FOUND',
): Promise<ReportState & { id: string }> {
  const wanted = id.toLowerCase()
  const report = isHexId(wanted) ? await findReport(store, wanted) : undefined
  const isTheirs = report?.userLogin === caller.login || caller.collectionIds === null
  if (report === undefined || !isTheirs) throw new Failure(code, {})
  return { ...report, id: wanted }
}
