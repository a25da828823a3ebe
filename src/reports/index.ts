export type { NewReport, ReportDefinition, ReportState } from './definitions.ts'
export { createReport, findReport, listReports, readReport } from './definitions.ts'
export { missingFonts } from './pdf/fonts.ts'
export { recordHtml } from './record/record-html.ts'
export type { RecordKey } from './record/signature.ts'
export { checkSignature, fingerprintOfKey, newRecordKey, signFile, signJson } from './record/signature.ts'
export type {
  CheckCounts,
  RecordedEndpoint,
  RecordedExecution,
  RecordedFinding,
  RecordedGap,
  RecordedTest,
  RecordFormat,
  TestRecord,
} from './record/test-record.ts'
export type {
  CategoryCounts,
  LeftOut,
  OutcomeCount,
  ReportContent,
  ReportFinding,
  ReportWeakness,
  SeverityCounts,
  TestedEndpoint,
  TrendPoint,
  UntestedEndpoint,
} from './report-content.ts'
export { severityOrder } from './report-content.ts'
export { ReportMaker } from './report-maker.ts'
export { renderInThread } from './report-thread.ts'
