/**
 * Kills the server with SIGKILL at random moments while attackers are at work, over and over. After each start it
 * checks that every attack of an acknowledged batch is an event, once; then it sends again what was not acknowledged
 * and checks that nothing came twice, and that a rule which counts forgot nothing and doubled nothing: it fires on
 * exactly the match that fills its window.
 *
 *   node test/faults/kill-during-attack.ts [--rounds 20] [--seed 1] [--store postgres]
 *
 * With VIGIL_DATABASE_URL set the server uses that PostgreSQL database, which must be empty; `--store postgres` starts
 * a separate server.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.ts'
import { seeded, Target } from './kill-during-ingest.ts'

const SENDERS = 4
/** Of each batch: attacks that are events, attempts that are counted, ordinary messages. */
const PROBES = 8
const ATTEMPTS = 20
const ORDINARY = 12
/** Attempts within the window that fire the rule. */
const LIMIT = 1500
const AT = 1_795_000_020
const PAGE = 1000

const FILTERS = [
  `id: FaultsProbe
filter:
  url: {contains_either: ["union select"]}
info: {category: {name: PROBES}, severity: HIGH}
`,
  `id: FaultsAttempts
filter:
  and:
    - url: {contains_either: [/login]}
    - response_code: {eq: 401}
info: {category: {name: ATTEMPTS}, severity: MEDIUM}
aggregation_rules:
  - rule: {name: many, condition: {matchCount: ${LIMIT}, windowThreshold: 5}}
`,
]

/** What a run found; `problems` is empty when all is well. */
export interface AttackReport {
  rounds: number
  /** Messages of acknowledged batches, those that were events among them, and the counted ones. */
  acknowledged: number
  probes: number
  attempts: number
  /** Messages that were sent again after a kill. */
  resent: number
  slowestStartMs: number
  problems: string[]
}

interface Batch {
  readonly body: string
  readonly probes: readonly string[]
}

interface ListedEvent {
  url: string
  actor: string
  refId: string
  eventType: string
}

/** One round: an actor of its own, at times of its own. */
class Round {
  readonly number: number
  readonly actor: string
  readonly acknowledged = new Set<string>()
  attempts = 0
  #made = 0

  constructor(number: number) {
    this.number = number
    this.actor = `203.0.113.${number}`
  }

  get from(): number {
    return AT + this.number * 7200
  }

  next(): Batch {
    this.attempts += ATTEMPTS
    const probes = Array.from(
      { length: PROBES },
      () => `/stock?q=1+union+select+${this.number}-${++this.#made}`,
    )
    const messages = [
      ...probes.map((path) => this.#message(path, 200)),
      ...Array.from({ length: ATTEMPTS }, () => this.#message('/login', 401)),
      ...Array.from({ length: ORDINARY }, () => this.#message('/stock', 200)),
    ]
    return { body: JSON.stringify({ batchData: messages }), probes }
  }

  /** So many attempts and nothing else. */
  further(count: number): string {
    this.attempts += count
    return JSON.stringify({ batchData: Array.from({ length: count }, () => this.#message('/login', 401)) })
  }

  #message(path: string, status: number) {
    return {
      id: `message-${this.number}-${++this.#made}`,
      method: status === 401 ? 'POST' : 'GET',
      path,
      requestHeaders: { host: 'attacked.example' },
      responseHeaders: { 'content-type': 'application/json' },
      responsePayload: '{"a":1}',
      statusCode: status,
      ip: this.actor,
      // Two minutes, back and forth.
      time: this.from + ((this.#made * 37) % 120),
      source: 'MIRRORING',
    }
  }
}

async function eventsOf(target: Target, filterId: string, from: number, to: number): Promise<ListedEvent[]> {
  const events: ListedEvent[] = []
  for (;;) {
    const page = await target.call<{ maliciousEvents: ListedEvent[]; total: number }>(
      'fetchSuspectSampleData',
      { latestAttack: [filterId], startTimestamp: from, endTimestamp: to, skip: events.length, limit: PAGE },
    )
    events.push(...page.maliciousEvents)
    if (page.maliciousEvents.length < PAGE) return events
  }
}

/** What is wrong with the events of a round: what was acknowledged must be there, and nothing twice. */
async function checkProbes(target: Target, round: Round, isSettled: boolean): Promise<string[]> {
  const urls = (await eventsOf(target, 'FaultsProbe', round.from, round.from + 7199)).map(({ url }) => url)
  const there = new Set(urls)
  const missing = [...round.acknowledged].filter((url) => !there.has(url)).length
  const problems: string[] = []
  if (missing > 0) problems.push(`${missing} of ${round.acknowledged.size} acknowledged attacks are no event`)
  if (there.size < urls.length) problems.push(`${urls.length - there.size} events are there twice`)
  if (isSettled && there.size > round.acknowledged.size)
    problems.push(`${there.size} events of ${round.acknowledged.size} attacks`)
  return problems
}

/** The rule must fire on the match that fills its window: not one sooner, not one later. */
async function checkWindow(target: Target, round: Round): Promise<string[]> {
  const fired = () => eventsOf(target, 'FaultsAttempts', round.from, round.from + 7199)
  const missing = LIMIT - 1 - round.attempts
  if (missing > 0) await target.call('ingestData', round.further(missing))
  const early = await fired()
  if (early.length > 0) return [`the rule fired after ${LIMIT - 1} matches or fewer: some were counted twice`]
  await target.call('ingestData', round.further(1))
  const now = await fired()
  if (now.length !== 1) return [`the rule fired ${now.length} times at ${LIMIT} matches: some were forgotten`]
  const [event] = now
  return event!.actor === round.actor && event!.eventType === 'AGGREGATED'
    ? []
    : [`the event is ${JSON.stringify(event)}`]
}

/** Sends batches until the server is killed. @returns those that were not answered */
async function attack(
  target: Target,
  round: Round,
  killAfterMs: number,
  report: AttackReport,
): Promise<Batch[]> {
  let isOver = false
  const pending = new Set<Batch>()
  const sender = async (): Promise<void> => {
    while (!isOver && round.attempts + ATTEMPTS < LIMIT - 1) {
      const batch = round.next()
      pending.add(batch)
      try {
        await target.call('ingestData', batch.body)
        acknowledge(batch, round, report)
        pending.delete(batch)
      } catch (error) {
        if (!isOver) report.problems.push(`round ${round.number}: ${(error as Error).message}`)
        return
      }
    }
  }
  const senders = Array.from({ length: SENDERS }, sender)
  await new Promise((resolve) => setTimeout(resolve, killAfterMs))
  isOver = true
  await target.kill('SIGKILL')
  await Promise.all(senders)
  return [...pending]
}

function acknowledge(batch: Batch, round: Round, report: AttackReport): void {
  for (const url of batch.probes) round.acknowledged.add(url)
  report.acknowledged += PROBES + ATTEMPTS + ORDINARY
  report.probes += PROBES
}

/** Runs the rounds; `onRound` hears what was found so far after each. */
export async function killDuringAttack(
  rounds: number,
  seed: number,
  port = 21_401,
  onRound: (round: number, report: AttackReport) => void = () => {},
): Promise<AttackReport> {
  const random = seeded(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'vigil-faults-'))
  const target = new Target(dataDir, port)
  const report: AttackReport = {
    rounds,
    acknowledged: 0,
    probes: 0,
    attempts: 0,
    resent: 0,
    slowestStartMs: 0,
    problems: [],
  }
  try {
    report.slowestStartMs = await target.start()
    for (const content of FILTERS) await target.call('saveFilterYamlTemplate', { content })
    for (let number = 1; number <= rounds; number++) {
      const round = new Round(number)
      const unanswered = await attack(target, round, 50 + random() * 600, report)
      report.slowestStartMs = Math.max(report.slowestStartMs, await target.start())
      const problems = await checkProbes(target, round, false)
      for (const batch of unanswered) {
        await target.call('ingestData', batch.body)
        acknowledge(batch, round, report)
        report.resent += PROBES + ATTEMPTS + ORDINARY
      }
      problems.push(...(await checkProbes(target, round, true)), ...(await checkWindow(target, round)))
      report.attempts += round.attempts
      report.problems.push(...problems.map((problem) => `round ${number}: ${problem}`))
      onRound(number, report)
    }
  } finally {
    await target.kill('SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
  }
  return report
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      store: { type: 'string', default: 'embedded' },
    },
  })
  const postgres = values.store === 'postgres' ? await startPostgres() : null
  if (postgres !== null) process.env['VIGIL_DATABASE_URL'] = postgres.url
  try {
    const report = await killDuringAttack(
      Number(values.rounds),
      Number(values.seed),
      undefined,
      (round, found) =>
        console.log(
          `kill ${round}: ${found.acknowledged} acknowledged, ${found.probes} events, ${found.problems.length} problems`,
        ),
    )
    for (const problem of report.problems) console.error(problem)
    console.log(
      `${report.rounds} kills: ${report.acknowledged} messages acknowledged, ${report.resent} of them sent again after a kill; ` +
        `${report.probes} attacks, each one event; ${report.attempts} counted attempts, each rule fired on its ${LIMIT}th; ` +
        `slowest start ${report.slowestStartMs} ms; ${report.problems.length} problems`,
    )
    process.exitCode = report.problems.length === 0 ? 0 : 1
  } finally {
    postgres?.stop()
  }
}
