import { Alert, Anchor, Breadcrumbs, Button, Group, List, Paper, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconApi, IconBug, IconInfoCircle } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { type ImportRow, type ImportSummary, importFormatTable } from '../../../contract/browser.ts'
import { CountCard } from '../../components/count-card.tsx'
import { DetailFailure } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { pageIn, useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { ReportRows } from './report-rows.tsx'

/** What an import took and what it skipped, item by item. */
export default function Report() {
  const { uploadId = '' } = useParams()
  const { one, several, change } = useListAddress()
  const pageSize = Number(one('size')) || 50
  const page = pageIn(one)
  const outcomes = several('outcome') as ImportRow['outcome'][]
  const { data, error, refetch, isPlaceholderData } = useRead(
    'fetchImportReport',
    { uploadId, outcomes: outcomes.length === 0 ? null : outcomes, skip: page * pageSize, limit: pageSize },
    { keepLast: true },
  )
  const name = data?.report.fileName ?? data?.report.title ?? 'Import'
  return (
    <>
      <PageHeader
        title={`Report: ${name}`}
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/start" size="sm">
              Add traffic
            </Anchor>
            <Text span size="sm" c="dimmed">
              {name}
            </Text>
          </Breadcrumbs>
        }
        description={data && <Origin report={data.report} />}
        actions={
          data !== undefined && importFormatTable[data.report.format].kind === 'FINDINGS' ? (
            <Button
              component={Link}
              to={`/issues?q=${data.report.format === 'ZAP' ? 'ZAP:' : 'nuclei:'}`}
              leftSection={<IconBug size={16} />}
            >
              See the issues
            </Button>
          ) : (
            data !== undefined &&
            data.report.apiCollectionId !== null && (
              <Button
                component={Link}
                to={`/apis/${data.report.apiCollectionId}`}
                leftSection={<IconApi size={16} />}
              >
                See the endpoints
              </Button>
            )
          )
        }
      />
      {error && <DetailFailure kind="import" error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton label="Loading the report" />}
      {data && (
        <Stack>
          <Outcome report={data.report} />
          <Paper withBorder>
            <ReportRows
              rows={data.rows}
              total={data.total}
              outcomes={outcomes}
              page={page}
              pageSize={pageSize}
              stale={isPlaceholderData}
              onChange={change}
            />
          </Paper>
        </Stack>
      )}
    </>
  )
}

function Origin({ report }: { report: ImportSummary }) {
  return (
    <>
      {importFormatTable[report.format].label}, imported <TimeAgo seconds={report.createdTs} /> by{' '}
      {report.username}
    </>
  )
}

function Outcome({ report }: { report: ImportSummary }) {
  return (
    <>
      {report.fatalError !== null && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Nothing could be read" role="alert">
          {report.fatalError}
        </Alert>
      )}
      {report.warnings.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle size={18} />} title="About the file as a whole">
          <List size="sm">
            {report.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group gap="sm">
        <CountCard value={report.total} word="items in the file" />
        <CountCard value={report.taken} word="taken" />
        <CountCard value={report.skipped} word="skipped" />
        <CountCard value={report.duplicates} word="known before" />
      </Group>
    </>
  )
}
