import { Group, Stack, Table, Text } from '@mantine/core'
import type { CrawledUrl } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, OneFilter } from '../../components/filters.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { TurnPages } from '../../components/table/turn-pages.tsx'
import { Tag } from '../../components/tag.tsx'
import { countText } from '../../data/words.ts'
import { urlFilterNames, urlPageSize, useCrawlUrls } from './crawl-data.ts'

const scopes = [
  { value: 'in', label: 'In scope' },
  { value: 'out', label: 'Left out' },
]

/** The URLs of a crawl with where each stands, and why those that were left out were. */
export function UrlsPanel({ crawlId, live }: { crawlId: string; live: boolean }) {
  const { data, error, refetch, address, page, filtered } = useCrawlUrls(crawlId, live)
  const reasons = Object.entries(data?.reasons ?? {}).map(([reason, count]) => ({
    value: reason,
    label: `${reason || 'no reason given'} (${countText(count)})`,
  }))
  return (
    <>
      <Group p="sm" gap="xs">
        <SearchField label="Search URLs" value={address.one('q')} onSearch={(q) => address.change({ q })} />
        <OneFilter address={address} name="scope" label="Scope" data={scopes} />
        <OneFilter
          address={address}
          name="reason"
          label="Reason"
          data={reasons.filter(({ value }) => value !== '')}
          width={240}
        />
        {filtered && <ClearFilters change={address.change} names={urlFilterNames} />}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton label="Loading the URLs" />}
      {data !== undefined && data.crawledUrls.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {filtered ? 'No URL meets the filters.' : 'No URL was found yet.'}
        </Text>
      )}
      {data !== undefined && data.crawledUrls.length > 0 && (
        <>
          <UrlTable urls={data.crawledUrls} />
          <TurnPages
            page={page}
            pageSize={urlPageSize}
            shown={data.crawledUrls.length}
            hasMore={(page + 1) * urlPageSize < data.total}
            onPage={(next) => address.change({ page: next === 0 ? '' : String(next + 1) })}
            what={`URLs, ${countText(data.total)} in all:`}
          />
        </>
      )}
    </>
  )
}

function UrlTable({ urls }: { urls: readonly CrawledUrl[] }) {
  return (
    <CardFrame label="URLs of the crawl">
      <Table aria-label="URLs of the crawl" miw={820} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>URL</Table.Th>
            <Table.Th>Scope</Table.Th>
            <Table.Th>Found on</Table.Th>
            <Table.Th>By</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {urls.map((found) => (
            <Table.Tr key={`${found.url} ${found.sourceUrl}`}>
              <Table.Td data-label="URL" style={{ overflowWrap: 'anywhere' }}>
                {found.url}
              </Table.Td>
              <Table.Td data-label="Scope">
                {found.accepted ? (
                  <Tag tone="green">in scope</Tag>
                ) : (
                  <Tag tone="gray">{found.reason || 'left out'}</Tag>
                )}
              </Table.Td>
              <Table.Td data-label="Found on" style={{ overflowWrap: 'anywhere' }}>
                {found.sourceUrl || '–'}
              </Table.Td>
              <Table.Td data-label="By" style={{ overflowWrap: 'anywhere' }}>
                <Stack gap={0}>
                  <Text size="sm">{found.buttonText || found.origin || '–'}</Text>
                  {found.sourceXpath !== '' && (
                    <Text size="xs" c="dimmed" ff="monospace">
                      {found.sourceXpath}
                    </Text>
                  )}
                </Stack>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}
