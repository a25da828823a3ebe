import type { ListCase } from '../list-bench.ts'
import { SEED } from './seed.ts'

const DAY = 86_400

/** What the clock of a client says. */
function present(): number {
  return Math.floor(Date.now() / 1000)
}

/** Every list and chart of threats, with the windows and filters that people use; bodies differ by round. */
export function threatCases(now: number): readonly ListCase[] {
  const windows: readonly (readonly [string, (round: number) => { startTs: number; endTs: number }])[] = [
    ['all', () => ({ startTs: 0, endTs: 0 })],
    ['last day', (round) => ({ startTs: now - DAY - round * 61, endTs: 0 })],
    ['last 7 days', (round) => ({ startTs: now - 7 * DAY - round * 61, endTs: present() })],
    ['last 30 days', (round) => ({ startTs: now - 30 * DAY - round * 61, endTs: present() })],
    [
      '10 days of the past',
      (round) => ({ startTs: now - 40 * DAY - round * 61, endTs: now - 30 * DAY - round * 61 }),
    ],
  ]
  const charts = [
    'fetchCountBySeverity',
    'fetchThreatCategoryCount',
    'getThreatActivityTimeline',
    'getDailyThreatActorsCount',
    'getActorsCountPerCounty',
  ].flatMap((operation) => windows.map(([note, window]) => ({ operation, note, body: window })))
  const filtered = ['fetchCountBySeverity', 'getThreatActivityTimeline', 'getDailyThreatActorsCount'].map(
    (operation) => ({
      operation,
      note: 'one filter',
      body: (round: number) => ({ startTs: 0, endTs: 0, latestAttack: [`Filter${round % SEED.filters}`] }),
    }),
  )
  return [
    ...charts,
    ...filtered,
    ...eventCases(now),
    ...windows.flatMap(([note, window]) =>
      ['discoveredAt', 'requestsCount', 'actorsCount'].map((sort) => ({
        operation: 'fetchThreatApis',
        note: `${note}, by ${sort}`,
        body: (round: number) => ({ ...window(round), sort: { [sort]: -1 }, skip: (round % 4) * 50 }),
      })),
    ),
    {
      operation: 'fetchThreatApis',
      note: 'one filter',
      body: (round) => ({ latestAttack: [`Filter${round % SEED.filters}`] }),
    },
    ...windows.flatMap(([note, window]) =>
      ['discoveredAt', 'lastSeen'].map((sort) => ({
        operation: 'fetchThreatActors',
        note: `${note}, by ${sort}`,
        body: (round: number) => ({ ...window(round), sort: { [sort]: -1 }, skip: (round % 4) * 50 }),
      })),
    ),
    {
      operation: 'fetchThreatActors',
      note: 'deep page',
      body: (round) => ({ sort: { discoveredAt: 1 }, skip: 20_000 + round * 50 }),
    },
    {
      operation: 'fetchThreatActors',
      note: 'filter, country, host',
      body: (round) => ({
        latestAttack: [`Filter${round % SEED.filters}`],
        country: ['US', 'DE'],
        host: ['host1.test'],
      }),
    },
    { operation: 'fetchFiltersThreatTable', note: 'all', body: () => ({}) },
    {
      operation: 'fetchFiltersThreatTable',
      note: 'last 7 days',
      body: (round) => ({ startTimestamp: now - 7 * DAY - round, endTimestamp: present() }),
    },
    { operation: 'fetchFiltersForThreatActors', body: () => ({}) },
    ...restrictedCases(),
  ]
}

function eventCases(now: number): ListCase[] {
  const list = (note: string, body: ListCase['body']): ListCase => ({
    operation: 'fetchSuspectSampleData',
    note,
    body,
  })
  return [
    list('newest', (round) => ({ skip: round * 50, limit: 50 })),
    list('oldest', (round) => ({ sort: { detectedAt: 1 }, skip: round * 50 })),
    list('deep page', (round) => ({ skip: 900_000 + round * 50 })),
    list('by severity', (round) => ({ sortBySeverity: true, skip: round * 50 })),
    list('last 7 days', (round) => ({ startTimestamp: now - 7 * DAY - round, endTimestamp: present() })),
    list('one filter', (round) => ({ latestAttack: [`Filter${round % SEED.filters}`] })),
    list('one host and method', (round) => ({
      hosts: [`host${1 + (round % SEED.hosts)}.test`],
      method: ['POST'],
    })),
    list('severity and status', () => ({ severity: ['CRITICAL'], statusFilter: 'UNDER_REVIEW' })),
    list('exploits', () => ({ successfulExploit: true })),
    list('frequent actor', (round) => ({ ips: [actorAt(round % 20)] })),
    list('rare actor', (round) => ({ ips: [actorAt(30_000 + round)] })),
    list('one URL', (round) => ({ urls: [`/api/v1/resource${round % 100}`] })),
    list('search for a filter', (round) => ({ searchText: `filter${10 + (round % 50)}` })),
    list('search for an address', (round) => ({ searchText: actorAt(1000 + round).slice(0, -1) })),
  ]
}

/** Address of an actor of the seed; low numbers do most. */
function actorAt(n: number): string {
  return [1 + (n % 223), Math.floor(n / 223) % 250, (n * 7) % 251, n % 199].join('.')
}

function restrictedCases(): ListCase[] {
  return [
    'fetchSuspectSampleData',
    'fetchThreatActors',
    'fetchThreatApis',
    'fetchCountBySeverity',
    'fetchThreatCategoryCount',
    'getThreatActivityTimeline',
    'getDailyThreatActorsCount',
    'getActorsCountPerCounty',
    'fetchFiltersThreatTable',
    'fetchFiltersForThreatActors',
  ].map((operation) => ({ operation, note: '2 of 12 collections', body: () => ({}), isRestricted: true }))
}
