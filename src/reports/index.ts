export type { ListedReport, NewReport, ReportDefinition, ReportIssueKey, ReportState } from './definitions.ts'
export { createReport, findReport, listReports, readReport, reportDays } from './definitions.ts'
export { missingFonts } from './pdf/fonts.ts'
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
