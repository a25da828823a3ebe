import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { useReport } from '../../data/use-report.ts'
import type { useIssues } from './issue-query.ts'

interface ReportButtonProps {
  readonly issues: ReturnType<typeof useIssues>
  readonly icon: ReactNode
}

/** Makes a PDF of the issues that the list shows, all pages of it, and saves it when it is there. */
export function ReportButton({ issues, icon }: ReportButtonProps) {
  const { address, status } = issues
  const report = useReport('issues.pdf')
  const make = () =>
    report.mutate(
      {
        filterStatus: status === 'ALL' ? ['OPEN', 'IGNORED', 'FIXED'] : [status],
        filterSeverity: address.several('severity'),
        filterCollectionsId: address.several('collection'),
        filterSubCategory: address.several('test'),
      },
      { onError: notifyFailure },
    )
  return (
    <Button variant="default" leftSection={icon} loading={report.isPending} onClick={make}>
      Report as PDF
    </Button>
  )
}
