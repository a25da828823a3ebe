import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestBodyOf } from '../../contract/browser.ts'
import { client } from './client.ts'
import { fetchReport } from './fetch-report.ts'
import { saveBlob } from './save-file.ts'

/** Filters of a report; those of issues, or the execution that it is about. */
export type ReportFilters = NonNullable<RequestBodyOf<'generateReportPDF'>['reportFilterList']>

/** Makes a PDF and saves it under a name when it is there; the list of reports is asked for again at both moments. */
export function useReport(fileName: string) {
  const queries = useQueryClient()
  const renew = () => queries.invalidateQueries({ queryKey: ['fetchReports'] })
  return useMutation({
    mutationFn: async (reportFilterList: ReportFilters) => {
      const { response } = await client.call('generateReportPDF', { reportFilterList })
      if (response === null) throw new Error('The server made no report')
      await renew()
      saveBlob(fileName, await fetchReport(response.downloadUrl))
    },
    onSettled: renew,
  })
}
