import { setTimeout as sleep } from 'node:timers/promises'
import { startKafkaServer } from '../../test/brokers/kafka-server.ts'
import { startNatsServer } from '../../test/brokers/nats-server.ts'
import type { PostgresPair } from '../../test/faults/schedule/postgres-pair.ts'
import { until } from '../../test/until.ts'
import { MessageSource, ReplayableBatch } from '../ingest/messages.ts'
import {
  cpuSeconds,
  type DatabaseFigures,
  databaseCost,
  databaseFigures,
  difference,
  measured,
  perSecond,
  total,
  withoutIdle,
} from './figures.ts'
import { KEY, type Started, startProcess, stopAll } from './start-process.ts'

const BATCH = 500
const CONNECTIONS = 4
const TOPIC = 'akto.api.logs'
const PATIENCE_MS = 600_000
/** Metrics cost the process that is measured some milliseconds each time. */
const ASK_EVERY_MS = 250
/** Counts are added to lists within ten seconds; most of that falls into a round. */
const AFTERWARDS_MS = 2000
const REST_MS = 15_000
/** What the warm-up left to add to lists is not idleness. */
const SETTLE_MS = 15_000

/** What a message cost in one round, in microseconds of CPU; `rate` is by time. */
interface Round {
  readonly cpu: number
  readonly rate: number
  readonly database: DatabaseFigures
  readonly messages: number
}

/** What a message cost over all rounds: the median of the rounds. */
interface IngestFigures {
  readonly cpu: number
  readonly rate: number
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Some processes of one installation, and how messages come into them. */
interface Taker {
  readonly name: string
  readonly pair: PostgresPair
  readonly database: string
  readonly servers: readonly Started[]
  /** Sends as many messages to each process, and resolves when all are committed, with the number of all. */
  readonly send: (each: number) => Promise<number>
  readonly stop: () => Promise<void>
}

/** Messages into some processes, measured in rounds. */
export class MeasuredIngest {
  readonly #taker: Taker
  readonly #rounds: Round[] = []
  /** Seconds of CPU a second, of all processes, without messages. */
  #idleShare = 0
  /** What the database does in a second without messages, of all installations on its server. */
  #databaseIdle: DatabaseFigures = { cpu: 0, statements: 0, commits: 0, walBytes: 0 }

  constructor(taker: Taker) {
    this.#taker = taker
  }

  get name(): string {
    return this.#taker.name
  }

  async warmUp(each: number): Promise<void> {
    await this.#taker.send(each)
  }

  /**
   * Measures what the processes and the database take while no message comes to any installation: a process with a core
   * for itself takes it once a second.
   */
  async rest(): Promise<void> {
    const { servers, name, pair, database } = this.#taker
    const used = (): number => servers.reduce((sum, { process }) => sum + cpuSeconds(process.pid!), 0)
    await sleep(SETTLE_MS)
    const databaseBefore = await databaseFigures(pair, database)
    const [before, started] = [used(), performance.now()]
    await sleep(REST_MS)
    const seconds = (performance.now() - started) / 1000
    this.#idleShare = (used() - before) / seconds
    const ofDatabase = difference(databaseBefore, await databaseFigures(pair, database))
    this.#databaseIdle = perSecond(ofDatabase, seconds)
    console.log(
      `${name}: ${(this.#idleShare * 1000).toFixed(0)} ms of CPU a second without messages; database: ` +
        `${(this.#databaseIdle.cpu * 1000).toFixed(0)} ms and ${this.#databaseIdle.walBytes.toFixed(0)} bytes of WAL, of all together`,
    )
  }

  async round(each: number): Promise<void> {
    const { name, pair, database, servers, send } = this.#taker
    const before = await databaseFigures(pair, database)
    const cpuBefore = servers.map(({ process }) => cpuSeconds(process.pid!))
    const started = performance.now()
    const messages = await send(each)
    const seconds = (performance.now() - started) / 1000
    await sleep(AFTERWARDS_MS)
    const cpu = servers.map(({ process }, index) => cpuSeconds(process.pid!) - cpuBefore[index]!)
    const ofDatabase = difference(before, await databaseFigures(pair, database))
    const whole = (performance.now() - started) / 1000
    const idle = this.#idleShare * whole
    const round: Round = {
      cpu: ((cpu.reduce((sum, one) => sum + one, 0) - idle) / messages) * 1e6,
      rate: messages / seconds,
      database: withoutIdle(ofDatabase, this.#databaseIdle, whole),
      messages,
    }
    this.#rounds.push(round)
    console.log(
      `${name}: ${measured(round.cpu, 1)} us of CPU a message (${cpu.map((one) => one.toFixed(2)).join(' + ')} s, ${idle.toFixed(2)} s of it idle), ` +
        `${Math.round(round.rate)} messages/s by time; database: ${databaseCost(round.database, messages)}`,
    )
  }

  get figures(): IngestFigures {
    const of = (key: 'cpu' | 'rate'): number => median(this.#rounds.map((round) => round[key]))
    return { cpu: of('cpu'), rate: of('rate') }
  }

  /** What all rounds cost the database. */
  get databaseCost(): string {
    const messages = this.#rounds.reduce((count, round) => count + round.messages, 0)
    return databaseCost(this.#rounds.map(({ database }) => database).reduce(total), messages)
  }

  async stop(): Promise<void> {
    await this.#taker.stop()
  }
}

async function startServers(
  pair: PostgresPair,
  database: string,
  flags: readonly (readonly string[])[],
): Promise<Started[]> {
  await pair.query(`CREATE DATABASE ${database}`)
  const servers: Started[] = []
  for (const some of flags) servers.push(await startProcess(pair, database, ['--roles', 'ingest', ...some]))
  return servers
}

/** Batches over HTTP: each process gets the same number of them, over its own connections. */
export async function ingestByHttp(pair: PostgresPair, processes: number): Promise<MeasuredIngest> {
  const database = `ingest_${processes}`
  const flags = Array.from({ length: processes }, () => [])
  const servers = await startServers(pair, database, flags)
  const senders = servers.flatMap((server, index) =>
    Array.from({ length: CONNECTIONS }, (_, one) => new Sender(server, 100 * index + one)),
  )
  return new MeasuredIngest({
    name: `${processes} by HTTP`,
    pair,
    database,
    servers,
    send: async (each) => {
      const batches = Math.ceil(each / BATCH / CONNECTIONS)
      await Promise.all(senders.map((sender) => sender.send(batches)))
      return batches * senders.length * BATCH
    },
    stop: () => stopAll(servers),
  })
}

/** Records of a stream, into one process: the same messages as over HTTP. Null where the machine has no such broker. */
export async function ingestByStream(
  kind: 'nats' | 'kafka',
  pair: PostgresPair,
): Promise<MeasuredIngest | null> {
  const broker = await (kind === 'nats' ? startNatsServer() : startKafkaServer())
  if (broker === null) return null
  // The process would make it as well.
  await broker.prepare(TOPIC)
  const database = `stream_${kind}`
  const servers = await startServers(pair, database, [['--stream-url', broker.url]])
  const batches = Array.from(
    { length: CONNECTIONS },
    (_, one) => new ReplayableBatch(new MessageSource(one + 1).take(BATCH)),
  )
  let pass = 0
  let newPaths = 0
  const made = (): string[] => {
    const batch = batches[pass % CONNECTIONS]!
    newPaths += batch.newPaths
    batch.renew(++pass, newPaths)
    const { batchData } = JSON.parse(batch.bytes.toString()) as { batchData: unknown[] }
    return batchData.map((message) => JSON.stringify(message))
  }
  return new MeasuredIngest({
    name: kind,
    pair,
    database,
    servers,
    send: async (each) => {
      const before = await taken(servers[0]!)
      // Made before the first is sent, and as many under way as over HTTP: the process never waits for the next.
      const waiting = Array.from({ length: Math.ceil(each / BATCH) }, made)
      const wanted = waiting.length * BATCH
      const publish = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          await broker.publish(TOPIC, next)
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, publish))
      await until('all are taken', () => taken(servers[0]!), {
        isRight: (now) => now >= before + wanted,
        ms: PATIENCE_MS,
        everyMs: ASK_EVERY_MS,
      })
      return wanted
    },
    stop: async () => {
      await stopAll(servers)
      await broker.stop()
    },
  })
}

/** One connection that sends batch after batch. */
class Sender {
  readonly #server: Started
  readonly #batch: ReplayableBatch
  #pass: number
  #newPaths: number

  constructor(server: Started, number: number) {
    this.#server = server
    this.#batch = new ReplayableBatch(new MessageSource(number + 1).take(BATCH))
    this.#pass = number * 10_000
    this.#newPaths = number * 100_000
  }

  async send(batches: number): Promise<void> {
    for (let sent = 0; sent < batches; ) {
      this.#newPaths += this.#batch.newPaths
      this.#batch.renew(++this.#pass, this.#newPaths)
      if (await this.#post()) sent++
      else await sleep(200)
    }
  }

  async #post(): Promise<boolean> {
    const answer = await fetch(`${this.#server.baseUrl}/api/ingestData`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body: new Uint8Array(this.#batch.bytes),
    })
    const text = await answer.text()
    if (!answer.ok && answer.status !== 503 && answer.status !== 429)
      throw new Error(`ingestData answered ${answer.status}: ${text.slice(0, 300)}`)
    return answer.ok
  }
}

/** Messages of the stream that a process has committed, whatever became of them. */
async function taken({ baseUrl }: Started): Promise<number> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': KEY } })
  const lines = (await answer.text()).matchAll(/^vigil_stream_messages\{outcome="\w+"\} (\d+)$/gm)
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}
