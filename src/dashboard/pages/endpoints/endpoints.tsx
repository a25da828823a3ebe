import { Anchor, Breadcrumbs, Button, Grid, Paper, Text } from '@mantine/core'
import { IconApiOff, IconEyeOff, IconFilterOff, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { EndpointOverview } from '../../../contract/browser.ts'
import { listedStates } from '../../components/endpoint/endpoint-states.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { MissingPage } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Tag } from '../../components/tag.tsx'
import { filterKey } from '../../data/list-address.ts'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { environmentWord } from '../../data/words.ts'
import { NotFound } from '../not-found/not-found.tsx'
import { CollectionDetails } from './collection-details.tsx'
import { filterNames, useEndpointQuery } from './endpoint-query.ts'
import { EndpointTable } from './endpoint-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { PathTree } from './path-tree.tsx'

/** Endpoints of the collection that the address names, or of all. */
export default function Endpoints() {
  const { collection } = useParams()
  if (collection === undefined) return <EndpointList collectionId={null} title="All endpoints" />
  const id = Number(collection)
  return Number.isInteger(id) ? <OneCollection id={id} /> : <NotFound />
}

function OneCollection({ id }: { id: number }) {
  const { data, error, refetch } = useRead('getCollection', { apiCollectionId: id })
  if (hidesContent(error, data)) {
    return (
      <>
        <PageHeader title="Collection" trail={<Trail />} />
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </>
    )
  }
  if (data === undefined)
    return (
      <>
        <PageHeader title="Collection" trail={<Trail />} />
        <TableSkeleton label="Loading the collection" />
      </>
    )
  const collection = data[0]
  if (collection === undefined) return <MissingPage kind="collection" />
  return (
    <EndpointList
      collectionId={id}
      title={collection.displayName}
      details={<CollectionDetails collection={collection} />}
      isTree={collection.urlsCount <= mostInTree}
      description={
        <>
          {collection.type === 'API_GROUP' && <Tag tone="violet">Group</Tag>}{' '}
          {collection.envType && <Tag tone="blue">{environmentWord(collection.envType)}</Tag>}{' '}
          {collection.deactivated && <Tag tone="orange">Deactivated</Tag>} {collection.description}
        </>
      }
    />
  )
}

function Trail({ children }: { readonly children?: ReactNode }) {
  return (
    <Breadcrumbs>
      <Anchor component={Link} to="/apis" size="sm">
        Collections
      </Anchor>
      {children}
    </Breadcrumbs>
  )
}

interface EndpointListProps {
  readonly collectionId: number | null
  readonly title: string
  readonly description?: ReactNode
  /** Shown above the list. */
  readonly details?: ReactNode
  /** Shows the paths beside the list. */
  readonly isTree?: boolean
}

function EndpointList({ collectionId, title, description, details, isTree = false }: EndpointListProps) {
  const { request, page, pageSize, filtered, address } = useEndpointQuery(collectionId)
  const { data, error, refetch, isPlaceholderData } = useRead('searchEndpoints', request, {
    keepLast: true,
    refreshEvery: 30_000,
  })
  const clear = () => address.change(Object.fromEntries(filterNames.map((name) => [name, ''])))
  return (
    <>
      <PageHeader
        title={title}
        description={description ?? 'Every endpoint of every collection you may see.'}
        trail={
          collectionId !== null && (
            <Trail>
              <Text span size="sm" c="dimmed">
                {title}
              </Text>
            </Trail>
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {details}
      <WithTree
        collectionId={isTree ? collectionId : null}
        states={request.state ?? listedStates}
        address={address}
      >
        <Paper withBorder>
          {(filtered || data?.total !== 0) && <FilterBar address={address} filtered={filtered} />}
          {data === undefined && !error && <TableSkeleton label="Loading the endpoints" />}
          {data?.total === 0 &&
            (filtered ? (
              <NoMatch onClear={clear} />
            ) : (
              <NothingListed
                collectionId={collectionId}
                onShow={() => address.change({ state: 'ignored' })}
              />
            ))}
          {data !== undefined && data.total > 0 && (
            <EndpointTable
              key={`${collectionId} ${filterKey(address.search)}`}
              rows={data.endpoints}
              total={data.total}
              isTotalExact={data.isTotalExact}
              collection={collectionId}
              page={page}
              pageSize={pageSize}
              stale={isPlaceholderData}
              request={request}
              address={address}
            />
          )}
        </Paper>
      </WithTree>
    </>
  )
}

/** More endpoints make a tree that nobody can read, and an answer of many megabytes. */
const mostInTree = 5_000

interface WithTreeProps {
  /** Null: without a tree. */
  readonly collectionId: number | null
  readonly states: EndpointOverview['state'][]
  readonly address: ReturnType<typeof useEndpointQuery>['address']
  readonly children: ReactNode
}

/** The list with the paths of its collection beside it; on narrow screens above it. */
function WithTree({ collectionId, states, address, children }: WithTreeProps) {
  if (collectionId === null) return children
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 2.25 }}>
        <PathTree
          collectionId={collectionId}
          states={states}
          chosen={address.one('path')}
          onChoose={(path) => address.change({ path })}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 9.75 }}>{children}</Grid.Col>
    </Grid>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconFilterOff size={28} />}
      title="No endpoint meets the filters"
      actions={<Button onClick={onClear}>Clear the filters</Button>}
    >
      No endpoint here matches all filters.
    </EmptyState>
  )
}

interface NothingListedProps {
  readonly collectionId: number | null
  /** Shows the ignored endpoints. */
  readonly onShow: () => void
}

/** Why a list without filters is empty: there is nothing yet, or all of it is ignored. */
function NothingListed({ collectionId, onShow }: NothingListedProps) {
  const { data, error, refetch } = useRead('searchEndpoints', {
    apiCollectionId: collectionId,
    state: ['IGNORED'],
    limit: 1,
  })
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton label="Loading the endpoints" />
  if (data.total === 0) return <NoEndpoints />
  return (
    <EmptyState
      icon={<IconEyeOff size={28} />}
      title="All endpoints are ignored"
      actions={<Button onClick={onShow}>Show the ignored endpoints</Button>}
    >
      Ignored endpoints are left out of lists and test runs. Choose them and set their state to Active to get
      them back.
    </EmptyState>
  )
}

function NoEndpoints() {
  return (
    <EmptyState
      icon={<IconApiOff size={28} />}
      title="No endpoint here yet"
      actions={
        <Button component={Link} to="/start" leftSection={<IconPlus size={16} />}>
          Add traffic
        </Button>
      }
    >
      Endpoints appear when a recording is imported or live messages arrive. Pages, images and other static
      files are left out.
    </EmptyState>
  )
}
