import { Table, Text } from '@mantine/core'
import { useState } from 'react'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { TurnPages } from '../../components/table/turn-pages.tsx'
import { Tag } from '../../components/tag.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { liveMs } from './crawl-data.ts'

const pageSize = 100

/** What a crawl tells of itself, newest first. */
export function LogPanel({ crawlId, live }: { crawlId: string; live: boolean }) {
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useRead(
    'fetchCrawlLogs',
    { crawlId, skip: page * pageSize, limit: pageSize },
    { keepLast: true, refreshEvery: live ? liveMs : false },
  )
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton rows={6} label="Loading the log" />
  if (data.crawlLogs.length === 0)
    return (
      <Text size="sm" c="dimmed" p="md">
        No log entries{live ? ' yet' : ''}.
      </Text>
    )
  return (
    <>
      <CardFrame label="Lines of the log">
        <Table aria-label="Lines of the log" miw={640} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th>Level</Table.Th>
              <Table.Th>What</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.crawlLogs.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of one page never move
              <Table.Tr key={at}>
                <Table.Td data-label="When" miw={210}>
                  {exactTime(line.timestamp)}
                </Table.Td>
                <Table.Td data-label="Level">
                  <Tag tone={line.level === 'warning' ? 'orange' : 'gray'}>{line.level}</Tag>
                </Table.Td>
                <Table.Td data-label="What" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
                  {line.log}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      <TurnPages
        page={page}
        pageSize={pageSize}
        shown={data.crawlLogs.length}
        hasMore={(page + 1) * pageSize < data.total}
        onPage={setPage}
        what="Lines of the log"
      />
    </>
  )
}
