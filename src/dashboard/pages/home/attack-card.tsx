import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { dateLocale } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from './card.tsx'

const DAY = 86_400
const days = 14
const dayName = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Attack events of the last two weeks, by day. */
export function AttackCard() {
  const first = (Math.floor(Date.now() / 1000 / DAY) - days + 1) * DAY
  const query = useRead('getThreatActivityTimeline', { startTs: first, endTs: 0 }, { refreshEvery: 30_000 })
  return (
    <Card
      title={t('overview.attacks')}
      more={
        <Anchor component={Link} to="/threats" size="sm">
          {t('overview.allThreats')}
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
        {t('overview.noAttack')}
      </Text>
    )
  }
  return (
    <BarChart
      summary={t('overview.events', { count: all })}
      height={150}
      names={names}
      series={[{ name: t('overview.eventSeries'), values, ink: 'bar' }]}
      links={links}
      twin={{
        label: t('overview.eventsByDay'),
        columns: [t('chart.day'), t('overview.eventColumn')],
        rows: starts.map((start, at) => ({ key: start, cells: [names[at] ?? '', countText(values[at])] })),
      }}
    />
  )
}
