import { Anchor, Paper, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type ImportSummary, importFormatTable } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { Tag } from '../../components/tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { statusTags } from './import-words.ts'

/** Imports of the whole organisation, newest first. */
export function EarlierImports() {
  const [page, setPage] = useState(0)
  const [pageSize, setPageSize] = useState(25)
  const { data, error, refetch } = useRead(
    'fetchImports',
    { skip: page * pageSize, limit: pageSize },
    { keepLast: true },
  )
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  return (
    <Paper withBorder>
      {data === undefined && <TableSkeleton rows={3} label="Loading the earlier imports" />}
      {data?.total === 0 && (
        <Text c="dimmed" p="md" size="sm">
          None yet. Each import is listed here with its report.
        </Text>
      )}
      {data !== undefined && data.total > 0 && (
        <>
          <CardFrame label="Earlier imports">
            <Table aria-label="Earlier imports" miw={680} verticalSpacing={7}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>File</Table.Th>
                  <Table.Th>Format</Table.Th>
                  <Table.Th ta="right">Taken</Table.Th>
                  <Table.Th ta="right">Skipped</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>By</Table.Th>
                  <Table.Th>When</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.imports.map((item) => (
                  <ImportRow key={item.uploadId} item={item} />
                ))}
              </Table.Tbody>
            </Table>
          </CardFrame>
          {data.total > pageSize && (
            <Pager
              page={page}
              pageSize={pageSize}
              total={data.total}
              shown={data.imports.length}
              onPage={setPage}
              onPageSize={setPageSize}
              what="imports"
            />
          )}
        </>
      )}
    </Paper>
  )
}

function ImportRow({ item }: { item: ImportSummary }) {
  return (
    <Table.Tr>
      <Table.Td data-label="File">
        <Anchor component={Link} to={`/start/imports/${item.uploadId}`} size="sm">
          {item.fileName ?? item.title ?? 'Without a name'}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Format">{importFormatTable[item.format].label}</Table.Td>
      <Table.Td data-label="Taken" ta="right">
        {item.taken}
      </Table.Td>
      <Table.Td data-label="Skipped" ta="right">
        {item.skipped}
      </Table.Td>
      <Table.Td data-label="State">
        <Tag tone={statusTags[item.status].tone}>{statusTags[item.status].word}</Tag>
      </Table.Td>
      <Table.Td data-label="By">{item.username}</Table.Td>
      <Table.Td data-label="When">
        <TimeAgo seconds={item.createdTs} />
      </Table.Td>
    </Table.Tr>
  )
}
