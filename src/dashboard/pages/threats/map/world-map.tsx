import { Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { Link } from 'react-router'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useRead } from '../../../data/use-operation.ts'
import { countOf } from '../../../data/words.ts'
import { countryName } from '../country-name.ts'
import classes from './world-map.module.css'
import { mapHeight, mapWidth, middles, outlines } from './world-outline.generated.ts'

interface WorldMapProps {
  /** Epoch seconds; an end of 0 is now. */
  readonly start: number
  readonly end: number
  /** What lists of actors add to their address for the same time: `&days=30`. */
  readonly lookBack: string
}

/** Where actors are, as marks on a map whose area stands for their number; each leads to its actors. */
export default function WorldMap({ start, end, lookBack }: WorldMapProps) {
  const { data, error, refetch } = useRead('getActorsCountPerCounty', { startTs: start, endTs: end })
  const located = (data?.actorsCountPerCountry ?? []).filter(({ country }) => Object.hasOwn(middles, country))
  const elsewhere = (data?.actorsCountPerCountry ?? [])
    .filter(({ country }) => !Object.hasOwn(middles, country))
    .reduce((sum, { count }) => sum + count, 0)
  return (
    <Paper withBorder p="md" component="section" aria-label="Map of actors">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Map of actors</Title>
        {elsewhere > 0 && (
          <Text size="xs" c="dimmed">
            Not on the map: {countOf(elsewhere, 'actor')} from private or unknown addresses.
          </Text>
        )}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={220} />}
      {data && <Drawing located={located} lookBack={lookBack} />}
    </Paper>
  )
}

interface Located {
  readonly country: string
  readonly count: number
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** The arrows move between the marks. */
function moveBetweenMarks(event: KeyboardEvent<SVGElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  const marks = [...event.currentTarget.querySelectorAll<SVGAElement>('a')]
  const next = marks[marks.indexOf(event.target as SVGAElement) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function Drawing({ located, lookBack }: { located: readonly Located[]; lookBack: string }) {
  const [pointed, setPointed] = useState<Located | null>(null)
  const most = Math.max(...located.map(({ count }) => count), 1)
  const reading = (one: Located) => `${countryName(one.country)}: ${countOf(one.count, 'actor')}`
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot hold a fieldset */}
      <svg
        viewBox={`0 0 ${mapWidth} ${mapHeight}`}
        className={classes['map']}
        role="group"
        aria-label={`Actors of ${countOf(located.length, 'country', 'countries')}`}
        onKeyDown={moveBetweenMarks}
      >
        {outlines.map(([code, path]) => (
          <path
            key={code + path.slice(0, 20)}
            d={path}
            className={classes['land']}
            data-pointed={(pointed !== null && code === pointed.country) || undefined}
          />
        ))}
        {located.map((one, at) => {
          const [x, y] = middles[one.country] ?? [0, 0]
          return (
            <Link
              key={one.country}
              to={`/threats/actors?country=${one.country}${lookBack}`}
              tabIndex={at === 0 ? 0 : -1}
              aria-label={reading(one)}
              onMouseEnter={() => setPointed(one)}
              onFocus={() => setPointed(one)}
              onMouseLeave={() => setPointed(null)}
            >
              <circle cx={x} cy={y} r={4 + 14 * Math.sqrt(one.count / most)} className={classes['mark']} />
            </Link>
          )
        })}
      </svg>
      <Text size="xs" c="dimmed" aria-hidden mih={18}>
        {pointed === null ? 'The list beside it has the same numbers.' : reading(pointed)}
      </Text>
    </>
  )
}
