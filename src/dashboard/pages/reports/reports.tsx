import { Button, Paper, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconDownload, IconFileText } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/browser.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Tag } from '../../components/tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { fetchReport } from '../../data/fetch-report.ts'
import { saveBlob } from '../../data/save-file.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { MakeReport } from './make-report.tsx'
import { reportTitle } from './report-title.ts'
import { TestRecordCard } from './test-record.tsx'

type ListedReport = ResponseOf<'fetchReports'>['reports'][number]

const waitingMs = 1_500

/** Reports to hand over: makes them, and keeps those of the last days. */
export default function Reports() {
  const { data, error, refetch } = useRead(
    'fetchReports',
    {},
    {
      refreshEvery: (answer) =>
        answer?.reports.some(({ status }) => status === 'IN_PROGRESS') ? waitingMs : false,
    },
  )
  return (
    <>
      <PageHeader
        title="Reports"
        description="PDF reports to share: findings, severity, evidence, remediation, and what was not tested."
      />
      <Stack>
        <MakeReport />
        <TestRecordCard />
        <Paper withBorder component="section" aria-label="Your reports">
          <Title order={2} p="md" pb="xs">
            Your reports
          </Title>
          {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
          {data === undefined && !error && <TableSkeleton rows={3} label="Loading the reports" />}
          {data?.reports.length === 0 && (
            <EmptyState icon={<IconFileText size={28} />} title="No report yet">
              Create one above. Reports are kept here for seven days.
            </EmptyState>
          )}
          {data !== undefined && data.reports.length > 0 && <ReportTable reports={data.reports} />}
        </Paper>
      </Stack>
    </>
  )
}

function ReportTable({ reports }: { reports: readonly ListedReport[] }) {
  const { names } = useCollectionNames()
  return (
    <CardFrame label="Reports">
      <Table aria-label="Reports" miw={620} verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>About</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Asked for</Table.Th>
            <Table.Th>Kept until</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reports.map((report) => (
            <Table.Tr key={report.reportId}>
              <Table.Td data-label="About" style={{ overflowWrap: 'anywhere' }}>
                {reportTitle(report, names)}
              </Table.Td>
              <Table.Td data-label="State">
                <ReportState report={report} />
              </Table.Td>
              <Table.Td data-label="Asked for">
                <TimeAgo seconds={report.createTime} />
              </Table.Td>
              <Table.Td data-label="Kept until">
                <TimeAgo seconds={report.expiryTime} />
              </Table.Td>
              <Table.Td ta="right">
                {report.status === 'COMPLETED' && (
                  <Download report={report} title={reportTitle(report, names)} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

function ReportState({ report }: { report: ListedReport }) {
  if (report.status === 'IN_PROGRESS') return <Tag tone="blue">being made</Tag>
  if (report.status === 'COMPLETED') return <Tag tone="green">{sizeText(report.sizeBytes)}</Tag>
  return (
    <>
      <Tag tone="red">not made</Tag>
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {report.reason}
      </Text>
    </>
  )
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

function Download({ report, title }: { report: ListedReport; title: string }) {
  const save = useMutation({
    mutationFn: async () => saveBlob(`report-${report.reportId}.pdf`, await fetchReport(report.downloadUrl)),
    onError: notifyFailure,
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={14} />}
      loading={save.isPending}
      aria-label={`Download: ${title}`}
      onClick={() => save.mutate()}
    >
      Download
    </Button>
  )
}
