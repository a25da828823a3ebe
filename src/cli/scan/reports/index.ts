import { writeFileSync } from 'node:fs'
import type { FinishedScan } from '../gather-scan.ts'
import type { ReportKind } from '../report-kinds.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { jsonLinesReport } from './jsonl.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { sarifReport } from './sarif.ts'

const WRITERS: Readonly<Record<ReportKind, (scan: FinishedScan) => string>> = {
  sarif: ({ result }) => sarifReport(result),
  junit: ({ result, checks }) => junitReport(result, checks),
  json: ({ result }) => jsonReport(result),
  jsonl: ({ result }) => jsonLinesReport(result),
  markdown: ({ result }) => markdownReport(result),
  html: ({ result }) => htmlReport(result),
}

/** Writes the reports that were asked for; @returns the files */
export async function writeReports(
  scan: FinishedScan,
  reports: ReadonlyMap<ReportKind, string>,
): Promise<string[]> {
  const files: string[] = []
  for (const [kind, path] of reports) {
    const text = WRITERS[kind](scan)
    if (path === '-') await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()))
    else {
      writeFileSync(path, text)
      files.push(path)
    }
  }
  return files
}
