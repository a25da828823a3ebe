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
 * that were measured are not measured again (`measured.tsv`; remove it to measure everything again). Beside the times
 * stands the CPU time of the database for one call, which other work on the machine hardly changes; auto_explain is part
 * of it. At ten million events and a million endpoints filling takes most of an hour on two cores.
 */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openListBench } from '../list-bench.ts'
import { listCases } from '../lists/cases.ts'
import { runCases } from '../lists/run-cases.ts'
import { threatCases } from '../threat-lists/cases.ts'
import { fillPart, type Part, restrictedUserOf, told } from './fill.ts'
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

/** Names of cases that an earlier command measured, and notes those that follow. */
function measuredIn(file: string): { has: (name: string) => boolean; note: (line: string) => void } {
  const known = new Set(
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => line.split('\t')[0])
      : [],
  )
  return { has: (name) => known.has(name), note: (line) => appendFileSync(file, `${line}\n`) }
}

/** Measures the lists of a part; @returns the number over the limit */
async function measurePart(server: KeptServer, part: Part, folder: string, plans: Plan[]): Promise<number> {
  const sizes = {
    events: Number(values.events),
    endpoints: Number(values.endpoints),
    results: Number(values.results),
  }
  const now = await fillPart((database) => server.urlOf(database), part, sizes)
  process.env['VIGIL_DATABASE_URL'] = server.urlOf(part)
  const measured = measuredIn(join(folder, 'measured.tsv'))
  const bench = await openListBench('', restrictedUserOf(part), async () => {})
  let read = statSync(server.log).size
  try {
    return await bench.measure({
      cases: (part === 'threats' ? threatCases(now) : [...listCases, ...runCases]).filter(
        ({ operation, note, isRestricted }) =>
          !isRestricted && !measured.has(`${operation} ${note ?? ''}`.trim()),
      ),
      rounds: Number(values.rounds),
      only: values.only,
      limitMs: Number(values.limit),
      judgesRestricted: false,
      databaseCpu: () => server.cpu(),
      afterCase: (name, figures) => {
        measured.note(`${name}\t${figures}`)
        const log = readFileSync(server.log)
        plans.push(...plansIn(log.subarray(read).toString('utf8'), name))
        read = log.length
      },
    })
  } finally {
    await bench.close()
  }
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
const server = await startKeptServer(folder)
try {
  await configure(server)
  const plans: Plan[] = []
  let slow = 0
  for (const part of values.part === 'all' ? (['threats', 'lists'] as const) : [values.part as Part])
    slow += await measurePart(server, part, folder, plans)
  show(plans)
  told('done')
  process.exitCode = slow > 0 ? 1 : 0
} finally {
  server.stop()
  if (values.folder === '') rmSync(folder, { recursive: true, force: true })
}
