/**
 * Plans at size: fills a PostgreSQL server with ten million events of threats, a million endpoints and millions of
 * results, asks every list over HTTP, and prints the statements that took longest with their plans, as the server's
 * auto_explain (EXPLAIN with ANALYZE and BUFFERS) wrote them. Exits with 1 when a list is not below the limit.
 *
 *   node bench/plans/run.ts [--events 10000000] [--endpoints 1000000] [--results 3000000] [--rounds 5]
 *     [--limit 1000] [--only fetchThreatApis] [--part threats|lists] [--plans plans.txt] [--place /tmp] [--server URL]
 *
 * The server is started from the programs of this machine with its default memory (128 MB of shared buffers) and
 * removed at the end. `--server` names one that this started before with another folder for its log: what is filled is
 * measured as it is.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.ts'
import { nowSeconds } from '../../src/kit/index.ts'
import type { Store } from '../../src/store/index.ts'
import { openListBench } from '../list-bench.ts'
import { listCases } from '../lists/cases.ts'
import { runCases } from '../lists/run-cases.ts'
import { SEED as LISTS, seedInventory } from '../lists/seed.ts'
import { seedOldResults, seedRuns } from '../lists/seed-runs.ts'
import { threatCases } from '../threat-lists/cases.ts'
import { seedEvents, SEED as THREATS } from '../threat-lists/seed.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    endpoints: { type: 'string', default: '1000000' },
    results: { type: 'string', default: '3000000' },
    rounds: { type: 'string', default: '5' },
    limit: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: 'all' },
    plans: { type: 'string', default: '' },
    place: { type: 'string', default: '/tmp' },
    server: { type: 'string', default: '' },
  },
})
const COLLECTIONS = Math.ceil(Number(values.endpoints) / LISTS.perCollection)
const SHOWN = 8
/** Statements below are not explained. */
const EXPLAINED_MS = 30
/** Of one event in as many the message is kept, which no list reads. */
const MESSAGES_EVERY = 20

interface Plan {
  readonly caseName: string
  readonly ms: number
  readonly text: string
}

/** Plans that a piece of the server's log has. */
function plansIn(log: string, caseName: string): Plan[] {
  return log.split(/^(?=\d{4}-\d\d-\d\d )/m).flatMap((entry) => {
    const [, ms] = /duration: ([\d.]+) ms {2}plan:/.exec(entry) ?? []
    return ms === undefined ? [] : [{ caseName, ms: Number(ms), text: entry.slice(entry.indexOf('plan:')) }]
  })
}

const started = values.server === '' ? await startPostgres(values.place) : null
if (started === null && values.server === '') throw new Error('this machine has no PostgreSQL programs')
const url = started?.url ?? values.server
process.env['VIGIL_DATABASE_URL'] = url
// Rows are made as they should be: no trigger and no reference looks at them.
const filler = new pg.Pool({ connectionString: url, options: '-c session_replication_role=replica', max: 1 })

async function configure(settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await filler.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  await filler.query('SELECT pg_reload_conf()')
}

function told(what: string): void {
  console.log(`${what} after ${Math.round(performance.now() / 1000)} s, ${new Date().toISOString()}`)
}

/** Fills a partitioned table and makes its indexes afterwards, in a fraction of the time. */
async function withoutIndexes(table: string, fill: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await filler.query<{ name: string; text: string; constraint: string | null }>(
    `SELECT i.relname AS name, pg_get_indexdef(i.oid) AS text, pg_get_constraintdef(c.oid) AS constraint
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid LEFT JOIN pg_constraint c ON c.conindid = i.oid
     WHERE x.indrelid = $1::regclass`,
    [table],
  )
  for (const { name, constraint } of indexes)
    await filler.query(
      constraint === null ? `DROP INDEX ${name}` : `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
    )
  await fill()
  told(`${table} filled`)
  for (const { name, text, constraint } of indexes)
    await filler.query(
      constraint === null
        ? text.replace(' ON ONLY ', ' ON ')
        : `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${constraint}`,
    )
}

async function fill(store: Store): Promise<void> {
  const { rowCount } = await filler.query('SELECT FROM collections LIMIT 1')
  if (rowCount !== 0) return
  const fast = { ...store, kind: store.kind, pool: filler } as unknown as Store
  if (values.part !== 'lists')
    await withoutIndexes('threat_events', () => seedEvents(fast, Number(values.events), now, MESSAGES_EVERY))
  told('events')
  if (values.part === 'threats') return
  await seedInventory(fast, COLLECTIONS, Number(values.endpoints))
  told('endpoints')
  await seedRuns(fast, COLLECTIONS)
  await withoutIndexes('run_results', () => seedOldResults(fast, Number(values.results)))
  told('results')
  await filler.query('VACUUM ANALYZE')
  const { rows: sizes } = await filler.query<{ name: string; size: string; rows: number }>(
    `SELECT regexp_replace(relname, '_(before|other|\\d+)$', '') AS name,
       pg_size_pretty(sum(pg_total_relation_size(oid))) AS size, sum(reltuples)::bigint AS rows
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     GROUP BY 1 ORDER BY sum(pg_total_relation_size(oid)) DESC LIMIT 10`,
  )
  for (const { name, size, rows: count } of sizes) console.log(`${name}: ${count} rows, ${size}`)
}

const now = nowSeconds()
const { restrictedUser } = values.part === 'threats' ? THREATS : LISTS
await configure({ max_wal_size: '8GB', autovacuum: 'off', jit: 'off', maintenance_work_mem: '512MB' })
const filled = await openListBench('', restrictedUser, ({ store }) => fill(store))
await filled.close()
// Its parameters are known once it is loaded; connections that follow load it themselves.
await filler.query("LOAD 'auto_explain'")
await configure({
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': String(EXPLAINED_MS),
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
})
const { rows } = await filler.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`)
const logFile = join(dirname(rows[0]!.folder), 'log')
const bench = await openListBench('', restrictedUser, async () => {})
const plans: Plan[] = []
let read = statSync(logFile).size
const slow = await bench.measure({
  cases: [
    ...(values.part === 'threats' ? [] : [...listCases, ...runCases]),
    ...(values.part === 'lists' ? [] : threatCases(now)),
  ].filter(({ isRestricted }) => !isRestricted),
  rounds: Number(values.rounds),
  only: values.only,
  limitMs: Number(values.limit),
  judgesRestricted: false,
  afterCase: (name) => {
    const log = readFileSync(logFile)
    plans.push(...plansIn(log.subarray(read).toString('utf8'), name))
    read = log.length
  },
})
plans.sort((a, b) => b.ms - a.ms)
// One for each case, the slowest.
const shown = [...new Map(plans.toReversed().map((plan) => [plan.caseName, plan])).values()].sort(
  (a, b) => b.ms - a.ms,
)
if (values.plans !== '')
  writeFileSync(
    values.plans,
    shown.map(({ caseName, ms, text }) => `# ${caseName}: ${ms} ms\n${text}`).join('\n'),
  )
for (const { caseName, ms, text } of shown.slice(0, SHOWN)) console.log(`\n# ${caseName}: ${ms} ms\n${text}`)
await bench.close()
await filler.end()
started?.stop()
process.exitCode = slow > 0 ? 1 : 0
