import { parentPort } from 'node:worker_threads'
import { renderReport } from './pdf/render-report.ts'
import type { ReportContent } from './report-content.ts'

/** Thread that makes one PDF at a time; a failure ends it and is heard on the other side. */
const port = parentPort!

port.on('message', (content: ReportContent) => {
  renderReport(content).then(
    (pdf) => port.postMessage(pdf, [pdf.buffer as ArrayBuffer]),
    (error: unknown) => {
      throw error
    },
  )
})
