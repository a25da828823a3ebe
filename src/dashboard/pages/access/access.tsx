import { Anchor, Group, Paper, Stack, Switch, Table, Text, Title } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { accessStates, type EndpointKey, type ResponseOf } from '../../../contract/browser.ts'
import { endpointAddress } from '../../components/endpoint/endpoint-address.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { AddTraffic } from '../../components/feedback/add-traffic.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, OneFilter, SeveralFilter } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { Tag } from '../../components/tag.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn, pageTurns, useListAddress } from '../../data/list-address.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { useShownByLink } from '../../data/use-shown-by-link.ts'
import { countText } from '../../data/words.ts'
import { RunsTabs } from '../runs/runs-tabs.tsx'

type Matrix = ResponseOf<'fetchAccessMatrix'>
type Cell = Matrix['rows'][number]['access'][number]

const filterNames = ['collection', 'role', 'access', 'show'] as const
/** Part of the page that holds the endpoints, as addresses name it. */
const endpointsAnchor = 'endpoints'
const accessWords: Readonly<Record<(typeof accessStates)[number], string>> = {
  REACHED: 'Reached',
  REFUSED: 'Refused',
  UNKNOWN: 'Unknown',
  DEVIATES: 'Not as declared',
}
const accessChoices = accessStates.map((value) => ({ value, label: accessWords[value] }))

/** Which identity reaches which endpoint, as tests and traffic showed it, and where that is not as declared. */
export default function Access() {
  const address = useListAddress()
  const { one, several } = address
  const pageSize = pageSizeIn(one)
  const page = pageIn(one)
  const { choices } = useCollectionNames()
  const filtered = filterNames.some((name) => several(name).length > 0)
  const isNarrowed = ['collection', 'role', 'access'].some((name) => one(name) !== '')
  const onlyDeviations = one('show') === 'deviations'
  const list = useShownByLink(endpointsAnchor)
  const { data, error, refetch, isPlaceholderData } = useRead(
    'fetchAccessMatrix',
    {
      apiCollectionIds: several('collection').map(Number).filter(Number.isSafeInteger),
      onlyDeviations,
      roleName: one('role'),
      access: accessStates.find((known) => known === one('access')) ?? null,
      skip: page * pageSize,
      limit: pageSize,
    },
    { keepLast: true },
  )
  const identities = (data?.roles ?? []).map(({ roleName }) => ({ value: roleName, label: roleName }))
  return (
    <>
      <PageHeader
        title="Access matrix"
        description="Which identity reaches which endpoint, as tests and traffic showed it. Runs with access tests fill it."
      />
      <RunsTabs />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Stack>
        {data && <Identities roles={data.roles} collections={several('collection')} />}
        <Paper
          withBorder
          component="section"
          aria-label="Endpoints"
          ref={list}
          tabIndex={-1}
          style={{ scrollMarginTop: 72 }}
        >
          <Group p="sm" gap="xs">
            <SeveralFilter
              address={address}
              name="collection"
              label="Collection"
              data={choices}
              width={150}
            />
            <OneFilter address={address} name="role" label="Identity" data={identities} width={150} />
            <OneFilter address={address} name="access" label="Access" data={accessChoices} width={150} />
            <Switch
              label="Only where access is not as declared"
              checked={onlyDeviations}
              onChange={(event) => address.change({ show: event.currentTarget.checked ? 'deviations' : '' })}
            />
            {filtered && <ClearFilters change={address.change} names={filterNames} />}
          </Group>
          {data === undefined && !error && <TableSkeleton label="Loading the access matrix" />}
          {data?.rowsCount === 0 && (
            <NoEndpoint
              isNarrowed={isNarrowed}
              onlyDeviations={onlyDeviations}
              clear={filtered && <ClearFilters change={address.change} names={filterNames} />}
            />
          )}
          {data && data.rowsCount > 0 && (
            <>
              <div aria-busy={isPlaceholderData}>
                <MatrixTable data={data} />
              </div>
              <Pager
                page={page}
                pageSize={pageSize}
                total={data.rowsCount}
                shown={data.rows.length}
                isTotalExact={data.isTotalExact}
                {...pageTurns(address.change)}
                what="endpoints"
              />
            </>
          )}
        </Paper>
      </Stack>
    </>
  )
}

interface NoEndpointProps {
  /** A filter other than that for deviations is set. */
  readonly isNarrowed: boolean
  readonly onlyDeviations: boolean
  /** Clears the filters; false without any. */
  readonly clear: ReactNode
}

function NoEndpoint({ isNarrowed, onlyDeviations, clear }: NoEndpointProps) {
  return (
    <EmptyState
      icon={<IconUsers size={28} />}
      title={onlyDeviations && !isNarrowed ? 'No deviation' : 'No endpoint here'}
      actions={clear || <AddTraffic />}
    >
      {isNarrowed
        ? 'No endpoint matches every filter of the list.'
        : onlyDeviations
          ? 'Nothing that tests saw differs from what the conditions of the roles say.'
          : 'Endpoints appear here once traffic or an API description has been imported.'}
    </EmptyState>
  )
}

interface IdentitiesProps {
  readonly roles: Matrix['roles']
  /** Those that the counts are of; none for all. */
  readonly collections: readonly string[]
}

/** The count of an identity with each state. */
const countOf = {
  REACHED: 'reached',
  REFUSED: 'refused',
  UNKNOWN: 'unknown',
  DEVIATES: 'deviations',
} as const

function Identities({ roles, collections }: IdentitiesProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Identities">
      <Title order={2} mb="sm">
        Identities
      </Title>
      <CardFrame inset label="Identities">
        <Table aria-label="Identities" miw={560} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Identity</Table.Th>
              <Table.Th ta="right">Reached</Table.Th>
              <Table.Th ta="right">Refused</Table.Th>
              <Table.Th ta="right">Unknown</Table.Th>
              <Table.Th ta="right">Not as declared</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {roles.map((role) => (
              <Table.Tr key={role.roleName}>
                <Table.Td data-label="Identity">
                  {role.roleName}
                  {!role.hasCredentials && role.roleName !== 'Anonymous' && (
                    <>
                      {' '}
                      <Tag tone="orange">no credentials</Tag>
                    </>
                  )}
                </Table.Td>
                {accessStates.map((access) => (
                  <CountCell
                    key={access}
                    role={role}
                    access={access}
                    count={role[countOf[access]]}
                    collections={collections}
                  />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      <Text size="sm" c="dimmed" mt="xs">
        Conditions of a role declare what it should reach.{' '}
        <Anchor component={Link} to="/settings/roles" size="sm" underline="always">
          Edit roles
        </Anchor>
      </Text>
    </Paper>
  )
}

interface CountCellProps {
  readonly role: Matrix['roles'][number]
  readonly access: (typeof accessStates)[number]
  readonly count: number
  readonly collections: readonly string[]
}

/** A number of an identity, which leads to the endpoints that it counts. */
function CountCell({ role: { roleName }, access, count, collections }: CountCellProps) {
  const search = new URLSearchParams([
    ...collections.map((id) => ['collection', id]),
    ['role', roleName],
    ['access', access],
  ])
  return (
    <Table.Td data-label={accessWords[access]} ta="right">
      {count === 0 ? (
        countText(count)
      ) : (
        <Anchor
          component={Link}
          to={`?${search}#${endpointsAnchor}`}
          size="sm"
          aria-label={`${roleName}, ${accessWords[access].toLowerCase()}: ${countText(count)}`}
        >
          {countText(count)}
        </Anchor>
      )}
    </Table.Td>
  )
}

function MatrixTable({ data }: { readonly data: Matrix }) {
  return (
    <CardFrame label="Access by endpoint">
      <Table aria-label="Access by endpoint" miw={320 + data.roles.length * 120} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw={280}>Endpoint</Table.Th>
            {data.roles.map(({ roleName }) => (
              <Table.Th key={roleName} miw={120} style={{ overflowWrap: 'anywhere' }}>
                {roleName}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.rows.map(({ apiInfoKey, access }) => (
            <Table.Tr key={`${apiInfoKey.apiCollectionId} ${apiInfoKey.method} ${apiInfoKey.url}`}>
              <Table.Th scope="row" fw={400}>
                <EndpointLink endpointKey={apiInfoKey} />
              </Table.Th>
              {access.map((cell) => (
                <Table.Td key={cell.roleName} data-label={cell.roleName}>
                  <AccessCell cell={cell} endpoint={apiInfoKey} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

interface AccessCellProps {
  readonly cell: Cell
  readonly endpoint: EndpointKey
}

/** What was seen, and what is declared where that is something else or nothing was seen. */
function AccessCell({ cell: { roleName, reached, expected, at }, endpoint }: AccessCellProps) {
  const title = at > 0 ? `Seen ${exactTime(at)}` : undefined
  if (reached === null) {
    const declared = expected === null ? '' : expected ? ' (allowed)' : ' (not allowed)'
    return (
      <Text span size="xs" c="dimmed">
        unknown{declared}
      </Text>
    )
  }
  const isDeviation = expected !== null && expected !== reached
  const word = reached ? 'reached' : 'refused'
  const text = isDeviation ? `${word}, ${expected ? 'allowed' : 'not allowed'}` : word
  // Without a test that saw it, traffic did: the endpoint answered calls without credentials.
  const [tab, shows] = at > 0 ? ['tests', 'Show the tests'] : ['authentication', 'Show its authentication']
  return (
    <Anchor
      component={Link}
      to={`${endpointAddress(endpoint)}&tab=${tab}`}
      underline="never"
      aria-label={`${roleName} at ${endpointLabel(endpoint)}: ${text}. ${shows}`}
    >
      <Tag
        tone={isDeviation ? 'red' : reached ? 'green' : 'gray'}
        {...(title === undefined ? {} : { title })}
      >
        {text}
      </Tag>
    </Anchor>
  )
}
