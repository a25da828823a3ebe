/**
 * Plans at size: fills a PostgreSQL server with events of threats, endpoints and results, asks every list over HTTP, and
 * prints the statements that took longest with their plans, as the server's auto_explain (EXPLAIN with ANALYZE and
 * BUFFERS) wrote them. Exits with 1 when a list is not below the limit.
 *
 *   node bench/plans/run.ts [--events 1000000] [--endpoints 100000] [--results 300000] [--rounds 5] [--limit 1000]
 *     [--only fetchThreatApis] [--part threats|lists|all] [--plans plans.txt] [--folder DIR]
 *
 * The server is started from the programs of this machine with its default memory (128 MB of shared buffers). With
 * --folder its data stays there, and a command that was cut off continues: what is filled is not filled again, and cases
 * that were measured are not measured again, but counted (`measured.tsv`; remove it to measure everything again). Beside the times
 * stands the CPU time of the database for one call, which other work on the machine hardly changes; auto_explain is part
 * of it. At ten million events and a million endpoints filling takes most of an hour on two cores.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type ListCase, openListBench } from '../list-bench.ts'
import { listCases } from '../lists/cases.ts'
import { runCases } from '../lists/run-cases.ts'
import { threatCases } from '../threat-lists/cases.ts'
import { fillPart, type Part, restrictedUserOf, told } from './fill.ts'
import { Measured, type Plan, p95In } from './measured.ts'
import { type KeptServer, startKeptServer } from './server.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    endpoints: { type: 'string', default: '100000' },
    results: { type: 'string', default: '300000' },
    rounds: { type: 'string', default: '5' },
    limit: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: 'all' },
    plans: { type: 'string', default: '' },
    folder: { type: 'string', default: '' },
  },
})
const SHOWN = 8
/** Statements below are not explained. */
const EXPLAINED_MS = 30
const SETTINGS = {
  max_wal_size: '8GB',
  autovacuum: 'off',
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': String(EXPLAINED_MS),
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
}

const nameOf = ({ operation, note }: ListCase): string => `${operation} ${note ?? ''}`.trim()

/** Plans that a piece of the server's log has. */
function plansIn(log: string, caseName: string): Plan[] {
  return log.split(/^(?=\d{4}-\d\d-\d\d )/m).flatMap((entry) => {
    const [, ms] = /duration: ([\d.]+) ms {2}plan:/.exec(entry) ?? []
    return ms === undefined ? [] : [{ caseName, ms: Number(ms), text: entry.slice(entry.indexOf('plan:')) }]
  })
}

async function configure(server: KeptServer): Promise<void> {
  const client = new pg.Client(server.urlOf('postgres'))
  await client.connect()
  // The parameters of a module are known once it is loaded.
  await client.query("LOAD 'auto_explain'")
  for (const [name, value] of Object.entries(SETTINGS))
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}

/** Measures the lists of a part; @returns the number over the limit, with those that an earlier command measured */
async function measurePart(server: KeptServer, part: Part, measured: Measured): Promise<number> {
  const sizes = {
    events: Number(values.events),
    endpoints: Number(values.endpoints),
    results: Number(values.results),
  }
  const now = await fillPart((database) => server.urlOf(database), part, sizes)
  process.env['VIGIL_DATABASE_URL'] = server.urlOf(part)
  const all = (part === 'threats' ? threatCases(now) : [...listCases, ...runCases]).filter(
    ({ isRestricted }) => !isRestricted,
  )
  const before = all.filter((item) => measured.figuresOf(nameOf(item)) !== null)
  const bench = await openListBench('', restrictedUserOf(part), async () => {})
  let read = statSync(server.log).size
  try {
    const slow = tellEarlier(before, measured)
    return (
      slow +
      (await bench.measure({
        cases: all.filter((item) => !before.includes(item)),
        rounds: Number(values.rounds),
        only: values.only,
        limitMs: Number(values.limit),
        judgesRestricted: false,
        databaseCpu: () => server.cpu(),
        afterCase: (name, figures) => {
          const log = readFileSync(server.log)
          measured.note(name, figures, plansIn(log.subarray(read).toString('utf8'), name))
          read = log.length
        },
      }))
    )
  } finally {
    await bench.close()
  }
}

/** Prints what earlier commands measured; @returns the number over the limit */
function tellEarlier(cases: readonly ListCase[], measured: Measured): number {
  let slow = 0
  for (const name of cases.map(nameOf).filter((one) => one.includes(values.only))) {
    const figures = measured.figuresOf(name)!
    const isSlow = !(p95In(figures) < Number(values.limit))
    if (isSlow) slow++
    console.log(`${name}   ${figures}   measured before${isSlow ? ', over the limit' : ''}`)
  }
  return slow
}

function show(plans: Plan[]): void {
  plans.sort((a, b) => b.ms - a.ms)
  // One for each case, the slowest.
  const shown = [...new Map(plans.toReversed().map((plan) => [plan.caseName, plan])).values()].sort(
    (a, b) => b.ms - a.ms,
  )
  const text = ({ caseName, ms, text: plan }: Plan): string => `# ${caseName}: ${ms} ms\n${plan}`
  if (values.plans !== '') writeFileSync(values.plans, shown.map(text).join('\n'))
  for (const plan of shown.slice(0, SHOWN)) console.log(`\n${text(plan)}`)
}

const folder = values.folder === '' ? mkdtempSync(join(tmpdir(), 'vigil-plans-')) : resolve(values.folder)
// Cut off by a signal, it stops the server as well.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
const server = await startKeptServer(folder)
if (values.folder === '') process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
await configure(server)
const measured = new Measured(folder)
let slow = 0
for (const part of values.part === 'all' ? (['threats', 'lists'] as const) : [values.part as Part])
  slow += await measurePart(server, part, measured)
show(measured.plans.filter(({ caseName }) => caseName.includes(values.only)))
told('done')
process.exitCode = slow > 0 ? 1 : 0
