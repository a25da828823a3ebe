/**
 * Runs the whole library on applications that nobody of this project wrote, and prints one table.
 *
 *   node bench/real-targets/run.ts NAME… | --all
 *     [--url http://127.0.0.1:3000 [--database FILE|postgres://…]]
 *     [--order owner,attacker,administrator | --every-order] [--tests A,B] [--seconds 900] [--out FOLDER]
 *     [--writes READ_ONLY|REVERSIBLE|ALL]
 *
 * Each application is installed from its public registry or its public sources, started with an empty database on a free port of 127.0.0.1,
 * used by three people, tested and stopped. One without a recipe for its start is started by hand and named by `--url`
 * and `--database`. `--order` says who is recorded first; `--every-order` runs every order, and prints what they found
 * differently. `--writes` is the write level of the runs. `--out` saves findings with their evidence, all results and the damage. Programs are kept in
 * VIGIL_TARGETS_FOLDER, or in ~/.cache/vigil-real-targets.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../test/server-process.ts'
import { TARGETS } from './catalogue.ts'
import { ordersOf } from './record.ts'
import { differences, type Score, table } from './score.ts'
import { type Database, postgresDatabase, sqliteDatabase } from './snapshot.ts'
import { PEOPLE, type Person, type Running, type Target } from './target.ts'
import { testTarget } from './test-target.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    url: { type: 'string' },
    database: { type: 'string' },
    order: { type: 'string', default: PEOPLE.join(',') },
    'every-order': { type: 'boolean', default: false },
    tests: { type: 'string' },
    seconds: { type: 'string', default: '900' },
    out: { type: 'string' },
    writes: { type: 'string', default: 'REVERSIBLE' },
  },
})

// What was started ends with this process, also when it is ended from outside.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const scores: Score[] = []
for (const target of chosen()) {
  const runs: Score[] = []
  for (const order of values['every-order'] ? ordersOf(PEOPLE) : [orderOf(values.order)]) {
    const score = await scored(target, order)
    runs.push(score)
    report(score)
  }
  for (const line of differences(runs)) console.log(`${target.name}: ${line}`)
  scores.push(...runs)
}
console.log(`\n${table(scores)}`)

function chosen(): readonly Target[] {
  if (values.all) return TARGETS.filter(({ start }) => start !== undefined)
  const named = positionals.map((name) => TARGETS.find((target) => target.name === name))
  if (named.length === 0 || named.includes(undefined))
    throw new Error(`name applications, or --all: ${TARGETS.map(({ name }) => name).join(', ')}`)
  return named as Target[]
}

function orderOf(text: string): readonly Person[] {
  const order = text.split(',') as Person[]
  if (order.length !== PEOPLE.length || PEOPLE.some((person) => !order.includes(person)))
    throw new Error(`--order takes ${PEOPLE.join(', ')} in any order`)
  return order
}

async function scored(target: Target, order: readonly Person[]): Promise<Score> {
  const data = mkdtempSync(join(tmpdir(), `vigil-target-${target.name}-`))
  // A PostgreSQL server runs as an account of its own.
  chmodSync(data, 0o755)
  const running = await started(target, data)
  const out = values.out === undefined ? undefined : join(values.out, target.name, order.join('-'))
  if (out !== undefined) mkdirSync(out, { recursive: true })
  try {
    return await testTarget(target, running, order, {
      seconds: Number(values.seconds),
      tests: values.tests?.split(','),
      writeLevel: values.writes,
      out,
    })
  } finally {
    await running.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function started(target: Target, data: string): Promise<Running> {
  if (values.url !== undefined) return byHand(target, values.url)
  if (target.start === undefined)
    throw new Error(
      `${target.name} has no recipe for its start: start ${target.source} as it says, and give --url and --database`,
    )
  const programs = process.env['VIGIL_TARGETS_FOLDER'] ?? join(homedir(), '.cache/vigil-real-targets')
  mkdirSync(programs, { recursive: true })
  return target.start({ programs, data, port: await freePort() })
}

function byHand({ state }: Target, url: string): Running {
  const { hostname, origin } = new URL(url)
  if (hostname !== '127.0.0.1' && hostname !== 'localhost' && hostname !== '[::1]')
    throw new Error('only applications on this machine are tested')
  const inMemory = state === undefined ? null : { snapshot: () => state(origin) }
  return { origin, database: databaseAt(values.database) ?? inMemory, stop: () => Promise.resolve() }
}

function databaseAt(place: string | undefined): Database | null {
  if (place === undefined) return null
  return /^postgres(?:ql)?:/.test(place) ? postgresDatabase(place) : sqliteDatabase(place)
}

function report(score: Score): void {
  console.log(`\n# ${score.target}: ${score.order.join(', ')}`)
  for (const { verdict, severity, test, at, reason, why } of score.findings)
    console.log(`${verdict.padEnd(9)} ${severity.padEnd(8)} ${test} ${at}\n          ${why || reason}`)
  for (const { name, at } of score.weaknesses.missed) console.log(`missed    ${name}: ${at}`)
  for (const event of score.threats) console.log(`threat    ${event}`)
  for (const { table: name, added, changed, removed, marked, examples } of score.damage ?? [])
    console.log(
      `damage    ${name}: ${added} added, ${changed} changed, ${removed} removed, ${marked} marked as deleted\n          ${examples.join('\n          ')}`,
    )
}
