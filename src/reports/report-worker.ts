import { parentPort } from 'node:worker_threads'
import { ThreadCalls, Transferred } from '../kit/index.ts'
import { renderReport } from './pdf/render-report.ts'
import type { ReportContent } from './report-content.ts'

/** Thread that makes one PDF at a time. */
const methods = {
  async render(content: ReportContent): Promise<Transferred<Uint8Array>> {
    const pdf = await renderReport(content)
    return new Transferred(pdf, [pdf.buffer as ArrayBuffer])
  },
}

export type ReportMethods = typeof methods

new ThreadCalls(parentPort!, methods)
