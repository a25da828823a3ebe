import { Group, Paper, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { IconTestPipe } from '@tabler/icons-react'
import type { EndpointKey, ResponseOf } from '../../../contract/browser.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { CountCard } from '../../components/count-card.tsx'
import { endpointAddress } from '../../components/endpoint/endpoint-address.ts'
import { AddTraffic } from '../../components/feedback/add-traffic.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, SeveralFilter } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { CoverageGrid } from '../../components/testing/coverage-grid.tsx'
import { pageIn, pageSizeIn, pageTurns, useListAddress } from '../../data/list-address.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { dateLocale } from '../../i18n/language.ts'
import { RunsTabs } from '../runs/runs-tabs.tsx'
import { periodStart, periods } from './periods.ts'

type Matrix = ResponseOf<'fetchCoverageMatrix'>

const DAY = 86_400
const filterNames = ['collection', 'gaps'] as const

/**
 * The tests of a family at an endpoint: the newest result of each, over all time. A cell counts the newest of each in
 * the period, so the numbers of an older period may be others.
 */
const testsAddress = (endpoint: EndpointKey, category: string): string =>
  `${endpointAddress(endpoint)}&tab=tests&category=${encodeURIComponent(category)}`

/** What was tested where, over time, and what was not. */
export default function Coverage() {
  const address = useListAddress()
  const { one, several } = address
  const pageSize = pageSizeIn(one)
  const page = pageIn(one)
  const filtered = filterNames.some((name) => several(name).length > 0)
  const { choices } = useCollectionNames()
  const since = periodStart(one('period'), Date.now())
  const { data, error, refetch, isPlaceholderData } = useRead(
    'fetchCoverageMatrix',
    {
      apiCollectionIds: several('collection').map(Number).filter(Number.isSafeInteger),
      startTimestamp: since,
      onlyUntested: one('gaps') === 'yes',
      skip: page * pageSize,
      limit: pageSize,
    },
    { keepLast: true },
  )
  return (
    <>
      <PageHeader
        title="Coverage"
        description="Families of tests by endpoint, by the newest result of each test. A dash: no check was planned there."
      />
      <RunsTabs />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Stack>
        {data && <Summary data={data} since={since} isGaps={one('gaps') === 'yes'} />}
        <Paper withBorder>
          <Group p="sm" gap="xs">
            <Select
              size="xs"
              w={150}
              aria-label="Period"
              allowDeselect={false}
              data={periods}
              value={one('period')}
              onChange={(period) => address.change({ period: period ?? '' })}
            />
            <SeveralFilter
              address={address}
              name="collection"
              label="Collection"
              data={choices}
              width={150}
            />
            <Switch
              label="Only endpoints without a verdict"
              checked={one('gaps') === 'yes'}
              onChange={(event) => address.change({ gaps: event.currentTarget.checked ? 'yes' : '' })}
            />
            {filtered && <ClearFilters change={address.change} names={filterNames} />}
          </Group>
          {data === undefined && !error && <TableSkeleton label="Loading the coverage" />}
          {data?.rowsCount === 0 && (
            <EmptyState
              icon={<IconTestPipe size={28} />}
              title="No endpoint here"
              actions={
                filtered ? <ClearFilters change={address.change} names={filterNames} /> : <AddTraffic />
              }
            >
              {one('gaps') === 'yes' && data.testedCount > 0
                ? 'Every endpoint had a verdict in this period.'
                : several('collection').length > 0
                  ? 'The chosen collections have no endpoint.'
                  : 'Endpoints appear here once traffic or an API description has been imported.'}
            </EmptyState>
          )}
          {data && data.rowsCount > 0 && (
            <Endpoints data={data} address={address} isStale={isPlaceholderData} />
          )}
        </Paper>
      </Stack>
    </>
  )
}

interface EndpointsProps {
  readonly data: Matrix
  readonly address: ReturnType<typeof useListAddress>
  readonly isStale: boolean
}

function Endpoints({ data, address, isStale }: EndpointsProps) {
  return (
    <>
      <div aria-busy={isStale}>
        <CoverageGrid
          label="Coverage by endpoint"
          categories={data.categories}
          rows={data.rows}
          leadsTo="Show the newest result of each test"
          linkOf={testsAddress}
        />
      </div>
      <Pager
        page={pageIn(address.one)}
        pageSize={pageSizeIn(address.one)}
        total={data.rowsCount}
        shown={data.rows.length}
        {...pageTurns(address.change)}
        what="endpoints"
      />
    </>
  )
}

interface SummaryProps {
  readonly data: Matrix
  /** Start of the period, epoch seconds; 0 for all time. */
  readonly since: number
  readonly isGaps: boolean
}

function Summary({ data, since, isGaps }: SummaryProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Coverage of the period">
      <Title order={2} mb="sm">
        Coverage of the period
      </Title>
      <Group gap="sm" mb="sm">
        <CountCard value={data.testedCount} word="endpoints with a verdict" />
        <CountCard
          value={isGaps ? data.rowsCount : data.rowsCount - data.testedCount}
          word="endpoints without one"
        />
      </Group>
      {data.days.length === 0 ? (
        <Text size="sm" c="dimmed">
          No check came to a verdict in this period.
        </Text>
      ) : (
        <DayChart days={data.days} since={since} />
      )}
    </Paper>
  )
}

const shortDay = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const nameOf = (day: number): string => new Date(day * 1000).toISOString().slice(0, 10)

/** Days shown at most: more bars are too thin to be seen. */
const mostDays = 120

/** The days of the period up to today, those without a check, too; only those with one where that would be too many. */
function everyDay(days: Matrix['days'], since: number): Matrix['days'] {
  const known = new Map(days.map((one) => [one.day, one]))
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY
  const from = Math.max(Math.floor(since / DAY) * DAY, today - (mostDays - 1) * DAY)
  const first = Math.min(from, days[0]?.day ?? from)
  if (today - first >= mostDays * DAY) return days
  return Array.from({ length: (today - first) / DAY + 1 }, (_, at) => {
    const day = first + at * DAY
    return known.get(day) ?? { day, endpoints: 0, tests: 0 }
  })
}

interface DayChartProps {
  readonly days: Matrix['days']
  /** Start of the period, epoch seconds; 0 for all time. */
  readonly since: number
}

function DayChart({ days: tested, since }: DayChartProps) {
  const days = everyDay(tested, since)
  const names = days.map(({ day }) => shortDay.format(day * 1000))
  const most = Math.max(...days.map(({ endpoints }) => endpoints))
  return (
    <BarChart
      summary={`Endpoints with a verdict by day (UTC), at most ${countText(most)} on one.`}
      height={120}
      names={names}
      series={[{ name: 'Endpoints', values: days.map(({ endpoints }) => endpoints), ink: 'bar' }]}
      twin={{
        label: 'Endpoints and tests with a verdict by day',
        columns: ['Day', 'Endpoints', 'Tests'],
        rows: tested.map(({ day, endpoints, tests }) => ({
          key: day,
          cells: [nameOf(day), countText(endpoints), countText(tests)],
        })),
      }}
    />
  )
}
