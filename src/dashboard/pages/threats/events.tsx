import { Anchor, Button, Checkbox, Group, Menu, Paper, Table, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { eventStatuses, type MaliciousEvent, severities } from '../../../contract/browser.ts'
import { ClampedText } from '../../components/clamped-text.tsx'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, OneFilter, SeveralFilter } from '../../components/filters.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { PageChoice } from '../../components/table/card-controls.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { Tag, type TagTone } from '../../components/tag.tsx'
import { SeverityTag, severityWord } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn, pageTurns } from '../../data/list-address.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { countOf } from '../../data/words.ts'
import { actorAddress } from './actor-address.ts'
import { EventDialog } from './event-dialog.tsx'
import { neighbour } from './neighbour.ts'
import { NoAttacks } from './no-attacks.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'
import { useFilterNames } from './use-filter-names.ts'

/** What is asked for again after a change of events. */
export const eventReads = [
  'fetchSuspectSampleData',
  'getDailyThreatActorsCount',
  'fetchThreatsForActor',
] as const

const filterNames = [
  'q',
  'severity',
  'kind',
  'filter',
  'host',
  'url',
  'method',
  'path',
  'actor',
  'status',
  'worked',
  'from',
  'to',
] as const
/** Filters that other pages link to, shown where they are set. */
const placeFilters = [
  ['url', 'URL'],
  ['method', 'Method'],
  ['path', 'Path'],
] as const
const severityChoices = severities.map((value) => ({ value, label: severityWord(value) }))
const statusLooks: Record<MaliciousEvent['status'], { word: string; tone: TagTone }> = {
  ACTIVE: { word: 'Active', tone: 'red' },
  UNDER_REVIEW: { word: 'Under review', tone: 'orange' },
  IGNORED: { word: 'Ignored', tone: 'gray' },
}
const workedChoices = [
  { value: 'yes', label: 'It worked' },
  { value: 'no', label: 'Not known to work' },
]
const statusChoices = eventStatuses.map((value) => ({ value, label: statusLooks[value].word }))

function useEvents() {
  const { address, start, end } = useThreatWindow()
  const { one, several } = address
  const page = pageIn(one)
  const pageSize = pageSizeIn(one)
  const worked = one('worked')
  const status = eventStatuses.find((known) => known === one('status')) ?? null
  const query = useRead(
    'fetchSuspectSampleData',
    {
      startTimestamp: start,
      endTimestamp: end,
      skip: page * pageSize,
      limit: pageSize,
      sort: { detectedAt: -1 },
      severity: several('severity'),
      latestAttack: several('filter'),
      subCategory: several('kind'),
      hosts: several('host'),
      urls: several('url'),
      method: several('method'),
      paths: several('path'),
      ips: several('actor'),
      statusFilter: status,
      successfulExploit: worked === '' ? null : worked === 'yes',
      searchText: one('q') || null,
    },
    { keepLast: true, refreshEvery: 15_000 },
  )
  return { ...query, address, page, pageSize, start }
}

/** The messages that filters found, with their evidence. */
export default function Events() {
  const { data, error, refetch, address, page, pageSize } = useEvents()
  const [shown, setShown] = useState<MaliciousEvent | null>(null)
  const [chosen, setChosen] = useChosen(address.search.toString())
  const events = data?.maliciousEvents ?? undefined
  const isEmpty = events?.length === 0 && !data?.total
  return (
    <>
      <ThreatHeader title="Events" description="Messages that a filter found suspicious, newest first." />
      <Paper withBorder>
        <EventFilters address={address} />
        {chosen.size > 0 && <BulkStatus ids={[...chosen]} onDone={() => setChosen(new Set())} />}
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {events === undefined && !error && <TableSkeleton label="Loading the events" />}
        {isEmpty && <NoAttacks title="No event in this time" address={address} filters={filterNames} />}
        {events !== undefined && !isEmpty && (
          <>
            <EventTable events={events} chosen={chosen} onChoose={setChosen} onShow={setShown} />
            <Pager
              page={page}
              pageSize={pageSize}
              total={data?.total}
              shown={events.length}
              {...pageTurns(address.change)}
              what="events"
            />
          </>
        )}
      </Paper>
      {shown && (
        <EventDialog
          event={shown}
          previous={neighbour(events, shown, -1)}
          next={neighbour(events, shown, 1)}
          onShow={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </>
  )
}

/** Ids of the chosen events; another filter or page chooses none. */
function useChosen(view: string): [ReadonlySet<string>, (chosen: ReadonlySet<string>) => void] {
  const [choice, setChoice] = useState<{ view: string; ids: ReadonlySet<string> }>({ view, ids: new Set() })
  const ids = choice.view === view ? choice.ids : new Set<string>()
  return [ids, (next) => setChoice({ view, ids: next })]
}

function EventFilters({ address }: { address: ReturnType<typeof useThreatWindow>['address'] }) {
  const kinds = useRead('fetchThreatCategoryCount', { startTs: 0, endTs: 0 }).data?.categoryCounts ?? []
  const kindChoices = new Map(
    kinds.map(({ category, subCategory }) => [subCategory, category || subCategory]),
  )
  const choices = useRead('fetchFiltersThreatTable', { startTimestamp: 0, endTimestamp: 0 }).data
  const { nameOf } = useFilterNames()
  const listed = (values: readonly string[] | null | undefined, label = (value: string) => value) =>
    (values ?? []).filter((value) => value !== '').map((value) => ({ value, label: label(value) }))
  const isFiltered = filterNames.some((name) => address.one(name) !== '')
  return (
    <Group p="sm" gap="xs">
      <SearchField
        label="Search filter, host or actor"
        value={address.one('q')}
        onSearch={(q) => address.change({ q })}
      />
      <SeveralFilter address={address} name="severity" label="Severity" data={severityChoices} />
      <SeveralFilter
        address={address}
        name="kind"
        label="Kind"
        data={[...kindChoices].map(([value, label]) => ({
          value,
          label: nameOf(value) === label ? label : `${label}: ${nameOf(value)}`,
        }))}
      />
      <SeveralFilter
        address={address}
        name="filter"
        label="Filter"
        data={listed(choices?.subCategory, nameOf)}
        width={150}
      />
      <SeveralFilter address={address} name="host" label="Host" data={listed(choices?.hosts)} />
      <SeveralFilter address={address} name="actor" label="Actor" data={listed(choices?.ips)} />
      {placeFilters.map(
        ([name, label]) =>
          address.one(name) !== '' && (
            <SeveralFilter key={name} address={address} name={name} label={label} data={[]} />
          ),
      )}
      <OneFilter address={address} name="status" label="Status" data={statusChoices} />
      <OneFilter address={address} name="worked" label="Outcome" data={workedChoices} />
      {isFiltered && <ClearFilters change={address.change} names={filterNames} />}
    </Group>
  )
}

function BulkStatus({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const update = useWrite('updateMaliciousEventStatus', eventReads)
  return (
    <Group px="sm" pb="sm" gap="xs">
      <Text size="sm" aria-live="polite">
        {countOf(ids.length, 'event')} chosen
      </Text>
      <Menu>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronDown size={14} />}
            loading={update.isPending}
          >
            Set the status
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {statusChoices.map(({ value, label }) => (
            <Menu.Item
              key={value}
              onClick={() =>
                update.mutate(
                  { eventIds: [...ids], status: value },
                  { onSuccess: onDone, onError: notifyFailure },
                )
              }
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

interface EventTableProps {
  readonly events: readonly MaliciousEvent[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly onShow: (event: MaliciousEvent) => void
}

function EventTable({ events, chosen, onChoose, onShow }: EventTableProps) {
  const mayWrite = useMayWrite()
  const names = useFilterNames()
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  const chooseAll = (isChosen: boolean) => onChoose(new Set(isChosen ? events.map(({ id }) => id) : []))
  const areAllChosen = events.length > 0 && events.every(({ id }) => chosen.has(id))
  return (
    <>
      {mayWrite && <PageChoice isChosen={areAllChosen} onChange={chooseAll} />}
      <CardFrame label="Events">
        <Table aria-label="Events" miw={740} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {mayWrite && (
                <Table.Th w={36}>
                  <Checkbox
                    size="xs"
                    aria-label="Choose all on this page"
                    checked={areAllChosen}
                    onChange={({ currentTarget: { checked } }) => chooseAll(checked)}
                  />
                </Table.Th>
              )}
              <Table.Th>Found by</Table.Th>
              <Table.Th>Severity</Table.Th>
              <Table.Th>Message</Table.Th>
              <Table.Th>Actor</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>When</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.map((event) => (
              <EventRow
                key={event.id}
                event={event}
                names={names}
                isChosen={chosen.has(event.id)}
                onToggle={mayWrite ? () => toggle(event.id) : null}
                onShow={() => onShow(event)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </>
  )
}

interface EventRowProps {
  readonly event: MaliciousEvent
  readonly names: ReturnType<typeof useFilterNames>
  readonly isChosen: boolean
  /** Null for those who may not change events. */
  readonly onToggle: (() => void) | null
  readonly onShow: () => void
}

/** One event; on phones its severity and message come first. */
function EventRow({ event, names, isChosen, onToggle, onShow }: EventRowProps) {
  const filter = names.nameOf(event.filterId)
  return (
    <Table.Tr>
      {onToggle && (
        <Table.Td style={{ order: -4 }}>
          <Checkbox
            size="xs"
            aria-label={`Choose the event of ${filter} on ${event.url.slice(0, 100)}`}
            checked={isChosen}
            onChange={onToggle}
          />
        </Table.Td>
      )}
      <Table.Td data-label="Found by" style={{ order: -1 }}>
        <div>
          <Anchor component="button" type="button" size="sm" ta="left" onClick={onShow} {...rowLinkProps}>
            {filter}
          </Anchor>
          <Text size="xs" c="dimmed">
            {names.categoryOf(event.filterId, event.category)}
          </Text>
        </div>
      </Table.Td>
      <Table.Td data-label="Severity" style={{ order: -3 }}>
        {event.severity !== '' && <SeverityTag severity={event.severity} />}
      </Table.Td>
      <Table.Td data-label="Message" style={{ overflowWrap: 'anywhere', order: -2 }} maw={360}>
        <div>
          <MethodTag method={event.method} /> {event.host}
          <ClampedText span size="sm" lines={2} text={event.url} />
          {event.successfulExploit && <Tag tone="red">it worked</Tag>}
        </div>
      </Table.Td>
      <Table.Td data-label="Actor" style={{ overflowWrap: 'anywhere' }} miw={130}>
        <Anchor component={Link} to={actorAddress(event.actor)} size="sm">
          {event.actor}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Status">
        <Tag tone={statusLooks[event.status].tone}>{statusLooks[event.status].word}</Tag>
      </Table.Td>
      <Table.Td data-label="When">
        <TimeAgo seconds={event.timestamp} />
      </Table.Td>
    </Table.Tr>
  )
}
