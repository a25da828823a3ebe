import { Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ResponseOf, TestRunSummary } from '../../../contract/browser.ts'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { CoverageGrid } from '../../components/testing/coverage-grid.tsx'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { countText, durationText } from '../../data/words.ts'
import { resultsAddress } from './run-data.ts'

type Progress = ResponseOf<'fetchRunProgress'>

const LIVE_MS = 2_000
const FIRST_ROWS = 25

/** Endpoints by families of tests while an execution works and after it, with the rate and errors of each host. */
export function ProgressPanel({ execution }: { readonly execution: TestRunSummary }) {
  const live = isUnderWay(execution.state)
  const [{ page, pageSize }, setPage] = useState({ page: 0, pageSize: FIRST_ROWS })
  const { search } = useListAddress()
  const { data, error, refetch } = useRead(
    'fetchRunProgress',
    { testingRunResultSummaryHexId: execution.hexId, skip: page * pageSize, limit: pageSize },
    { keepLast: true, refreshEvery: live ? LIVE_MS : false },
  )
  useTitle(
    live && data !== undefined && data.planned > 0 ? Math.floor((data.done / data.planned) * 100) : null,
  )
  return (
    <Paper withBorder p="md" component="section" aria-label="Matrix">
      <Title order={2} mb="sm">
        Endpoints by family of tests
      </Title>
      {hidesContent(error, data) && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton rows={4} label="Loading the matrix" />}
      {data && (
        <Stack gap="sm">
          {live && <Rate data={data} />}
          {data.rowsCount === 0 ? (
            <Text size="sm" c="dimmed">
              {live ? 'The checks are being planned.' : 'No check was planned.'}
            </Text>
          ) : (
            <CoverageGrid
              label="Checks by endpoint"
              categories={data.categories}
              rows={data.rows}
              isLive={live}
              leadsTo="Show the results"
              linkOf={(endpoint, category, mode) => resultsAddress(search, { endpoint, category, mode })}
            />
          )}
          {data.rowsCount > FIRST_ROWS && (
            <Pager
              page={page}
              pageSize={pageSize}
              total={data.rowsCount}
              shown={data.rows.length}
              onPage={(next) => setPage({ page: next, pageSize })}
              onPageSize={(size) => setPage({ page: 0, pageSize: size })}
              what="endpoints"
            />
          )}
          <Hosts hosts={data.hosts} />
        </Stack>
      )}
    </Paper>
  )
}

/** The title of the tab tells the percentage while a run works. */
function useTitle(percent: number | null): void {
  useEffect(() => {
    if (percent === null) return
    const before = document.title
    document.title = `${percent} % · ${before.replace(/^\d+ % · /, '')}`
    return () => {
      document.title = before.replace(/^\d+ % · /, '')
    }
  }, [percent])
}

function Rate({ data }: { readonly data: Progress }) {
  return (
    <Facts
      facts={[
        ['Checks', `${countText(data.done)} of ${countText(data.planned)}`],
        ['Requests', countText(data.requests)],
        ['Rate', `${data.requestsPerSecond.toFixed(1)} requests/s`],
        [
          'Time left',
          data.secondsLeft === null ? 'not known yet' : `about ${durationText(data.secondsLeft)}`,
        ],
      ]}
    />
  )
}

function Hosts({ hosts }: { readonly hosts: Progress['hosts'] }) {
  if (hosts.length === 0) return null
  return (
    <CardFrame inset label="Requests by host">
      <Table aria-label="Requests by host" miw={620} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Host</Table.Th>
            <Table.Th ta="right">Requests</Table.Th>
            <Table.Th ta="right">No answer</Table.Th>
            <Table.Th ta="right">5xx</Table.Th>
            <Table.Th ta="right">429</Table.Th>
            <Table.Th ta="right">Mean time</Table.Th>
            <Table.Th>Last failure</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {hosts.map((one) => (
            <Table.Tr key={one.host}>
              <Table.Td data-label="Host" style={{ overflowWrap: 'anywhere' }}>
                {one.host}
              </Table.Td>
              <Table.Td data-label="Requests" ta="right">
                {countText(one.requests)}
              </Table.Td>
              <Table.Td data-label="No answer" ta="right">
                {countText(one.failures)}
              </Table.Td>
              <Table.Td data-label="5xx" ta="right">
                {countText(one.serverErrors)}
              </Table.Td>
              <Table.Td data-label="429" ta="right">
                {countText(one.refused)}
              </Table.Td>
              <Table.Td data-label="Mean time" ta="right">
                {Math.round(one.meanMs)} ms
              </Table.Td>
              <Table.Td data-label="Last failure">{one.lastFailure ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}
