import { Failure } from '../../kit/index.ts'
import { readReport } from '../../reports/index.ts'
import type { App, Caller } from '../handler.ts'
import { requireReport } from './require-report.ts'

const FILE = /^([0-9a-f]{24})\.pdf$/

/**
 * The PDF of a report by its file name `<id>.pdf`; null while it is being made.
 *
 * @throws Failure NO_SUCH_REPORT, also for one that could not be made
 */
export async function reportFile({ store }: App, caller: Caller, file: string): Promise<Buffer | null> {
  const [, id] = FILE.exec(file) ?? []
  const report = await requireReport(store, caller, id ?? '', 'NO_SUCH_REPORT')
  if (report.status === 'IN_PROGRESS') return null
  const pdf = report.status === 'COMPLETED' ? await readReport(store, report.id) : null
  if (pdf === null) throw new Failure('NO_SUCH_REPORT', {})
  return pdf
}
