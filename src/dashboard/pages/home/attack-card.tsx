import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countOf, countText } from '../../data/words.ts'
import { Card } from './card.tsx'

const DAY = 86_400
const days = 14
const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Attack events of the last two weeks, by day. */
export function AttackCard() {
  const first = (Math.floor(Date.now() / 1000 / DAY) - days + 1) * DAY
  const query = useRead('getThreatActivityTimeline', { startTs: first, endTs: 0 }, { refreshEvery: 30_000 })
  return (
    <Card
      title="Attack activity"
      more={
        <Anchor component={Link} to="/threats" size="sm">
          All threats
        </Anchor>
      }
      query={query}
    >
      {(activity) => <Activity activity={activity} first={first} />}
    </Card>
  )
}

interface ActivityProps {
  readonly activity: ResponseOf<'getThreatActivityTimeline'>
  /** Start of the first day, epoch seconds. */
  readonly first: number
}

function Activity({ activity: { threatActivityTimelines }, first }: ActivityProps) {
  const { starts, names, values, links } = useMemo(() => {
    const counts = new Map(
      threatActivityTimelines.map(({ ts, subCategoryWiseData }) => [
        ts,
        subCategoryWiseData.reduce((sum, one) => sum + one.activityCount, 0),
      ]),
    )
    const starts = Array.from({ length: days }, (_, at) => first + at * DAY)
    return {
      starts,
      names: starts.map((start) => dayName.format(start * 1000)),
      values: starts.map((start) => counts.get(start) ?? 0),
      links: starts.map((start) => `/threats/events?from=${start}&to=${start + DAY - 1}`),
    }
  }, [threatActivityTimelines, first])
  const all = values.reduce((sum, value) => sum + value, 0)
  if (all === 0) {
    return (
      <Text size="sm" c="dimmed">
        No attack was seen in the last two weeks. Filters look at all traffic that Vigil receives.
      </Text>
    )
  }
  return (
    <BarChart
      summary={`${countOf(all, 'event')} in the last two weeks.`}
      height={150}
      names={names}
      series={[{ name: 'events', values, ink: 'bar' }]}
      links={links}
      twin={{
        label: 'Attack events by day',
        columns: ['Day', 'Events'],
        rows: starts.map((start, at) => ({ key: start, cells: [names[at] ?? '', countText(values[at])] })),
      }}
    />
  )
}
