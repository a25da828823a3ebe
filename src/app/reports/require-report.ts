import { Failure, isHexId } from '../../kit/index.ts'
import { findReport, type ReportState } from '../../reports/index.ts'
import type { Store } from '../../store/index.ts'
import type { Caller } from '../handler.ts'

/**
 * A report that the caller may have: any when the caller may see all collections, else their own while they may still see
 * all that it was made of. Undefined without one.
 */
export async function seenReport(store: Store, caller: Caller, id: string): Promise<ReportState | undefined> {
  const report = isHexId(id) ? await findReport(store, id) : undefined
  if (report === undefined || caller.collectionIds === null) return report
  const isGranted = report.visible?.every((one) => caller.collectionIds?.includes(one)) ?? false
  return report.userLogin === caller.login && isGranted ? report : undefined
}

/**
 * A report that the caller may have, as {@link seenReport} finds it.
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
  const report = await seenReport(store, caller, wanted)
  if (report === undefined) throw new Failure(code, {})
  return { ...report, id: wanted }
}
