import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { client } from '../../data/client.ts'
import { fetchReport } from '../../data/fetch-report.ts'
import { saveBlob } from '../../data/save-file.ts'
import type { useIssues } from './issue-query.ts'

interface ReportButtonProps {
  readonly issues: ReturnType<typeof useIssues>
  readonly icon: ReactNode
}

/** Makes a PDF of the issues that the list shows, all pages of it, and saves it when it is there. */
export function ReportButton({ issues, icon }: ReportButtonProps) {
  const { address, status } = issues
  const report = useMutation({
    mutationFn: async () => {
      const { response } = await client.call('generateReportPDF', {
        reportFilterList: {
          filterStatus: [status],
          filterSeverity: address.several('severity'),
          filterCollectionsId: address.several('collection'),
          filterSubCategory: address.several('test'),
        },
      })
      if (response === null) throw new Error('The server made no report')
      saveBlob('issues.pdf', await fetchReport(response.downloadUrl))
    },
    onError: notifyFailure,
  })
  return (
    <Button variant="default" leftSection={icon} loading={report.isPending} onClick={() => report.mutate()}>
      Report as PDF
    </Button>
  )
}
