import type { Client } from '../../contract/index.ts'
import { ScanFailure } from '../scan/scan-failure.ts'

const POLL_MS = 500
const PATIENCE_MS = 300_000

/**
 * The PDF of an execution, once the server has made it.
 *
 * @throws ScanFailure when it cannot be made
 */
export async function downloadPdf(client: Client, summaryId: string): Promise<Buffer> {
  const { generatedReportId: reportId } = await client.op.generateReportPDF({
    reportFilterList: { testingRunResultSummaryId: [summaryId] },
  })
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    const { status, pdf, reason } = await client.op.downloadReportPDF({ reportId })
    if (pdf !== null) return Buffer.from(pdf, 'base64')
    if (status === 'ERROR') throw new ScanFailure(`the PDF could not be made: ${reason ?? 'see the log'}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new ScanFailure('the PDF was not made in time')
}
