import type { Handlers } from '../../handler.ts'
import { downloadReportPDF } from './downloadReportPDF.ts'
import { fetchReports } from './fetchReports.ts'
import { generateReportPDF } from './generateReportPDF.ts'
import { getReportFilters } from './getReportFilters.ts'

/** Reports as PDF. */
export const reportHandlers = {
  downloadReportPDF,
  fetchReports,
  generateReportPDF,
  getReportFilters,
} satisfies Handlers
