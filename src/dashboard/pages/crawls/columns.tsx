import { Anchor, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { Link } from 'react-router'
import type { CrawlerRun } from '../../../contract/browser.ts'
import { CrawlStateTag } from '../../components/crawl/crawl-state.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { durationText } from '../../data/words.ts'

const column = createColumnHelper<CrawlerRun>()

/** Columns of the list of crawls. */
export function crawlColumns(names: ReadonlyMap<number, string>) {
  return [
    column.accessor('hostname', {
      header: 'Application',
      enableSorting: false,
      cell: ({ row: { original }, getValue }) => (
        <Anchor
          component={Link}
          to={`/crawls/${encodeURIComponent(original.crawlId)}`}
          size="sm"
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
          lineClamp={2}
          title={getValue()}
          {...rowLinkProps}
        >
          {getValue()}
        </Anchor>
      ),
      meta: { minWidth: 200 },
    }),
    column.accessor('status', {
      header: 'State',
      enableSorting: false,
      cell: ({ getValue }) => <CrawlStateTag status={getValue()} />,
    }),
    // Not an accessor: the table keeps its values, and names may become known after the row.
    column.display({
      id: 'collection',
      header: 'Collection',
      cell: ({ row: { original } }) => (
        <Anchor
          component={Link}
          to={`/apis/${original.collectionId}`}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {names.get(original.collectionId) ?? `Collection ${original.collectionId}`}
        </Anchor>
      ),
    }),
    column.accessor('startTimestamp', {
      header: 'Started',
      enableSorting: false,
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
    }),
    column.accessor(
      (crawl) => (crawl.endTimestamp > 0 ? durationText(crawl.endTimestamp - crawl.startTimestamp) : '–'),
      { id: 'took', header: 'Took', enableSorting: false, meta: { align: 'right' } },
    ),
    column.accessor('moduleName', { header: 'By', enableSorting: false }),
    column.accessor('startedBy', {
      header: 'Started by',
      enableSorting: false,
      cell: ({ getValue }) => (
        <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {getValue()}
        </Text>
      ),
    }),
  ]
}
