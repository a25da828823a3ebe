import { startKafkaServer } from '../../test/brokers/kafka-server.ts'
import { startNatsServer } from '../../test/brokers/nats-server.ts'
import type { PostgresPair } from '../../test/faults/schedule/postgres-pair.ts'
import { until } from '../../test/until.ts'
import { MessageSource, ReplayableBatch } from '../ingest/messages.ts'
import { cpuSeconds, databaseCost, databaseFigures } from './figures.ts'
import { KEY, type Started, startProcess, stopAll } from './start-process.ts'

const BATCH = 500
const CONNECTIONS = 4
const WARM_BATCHES = 12
const TOPIC = 'akto.api.logs'
const RECORDS = 500
const PATIENCE_MS = 600_000

/** A rate, and what a message cost the processes that take them. */
export interface IngestFigures {
  readonly rate: number
  readonly cpuMicroseconds: number
}

/** Sends messages over HTTP to a number of ingest processes: each gets the same number of them, over its own connections. */
export async function ingestOver(
  pair: PostgresPair,
  processes: number,
  messages: number,
): Promise<IngestFigures> {
  const database = `ingest_${processes}`
  await pair.query(`CREATE DATABASE ${database}`)
  const servers: Started[] = []
  const flags = ['--roles', 'ingest']
  for (let i = 0; i < processes; i++) servers.push(await startProcess(pair, database, flags))
  try {
    const senders = servers.flatMap((server, index) =>
      Array.from({ length: CONNECTIONS }, (_, one) => new Sender(server, 100 * index + one)),
    )
    await Promise.all(senders.map((sender) => sender.send(WARM_BATCHES)))
    const before = await databaseFigures(pair, database)
    const cpuBefore = servers.map(({ process }) => cpuSeconds(process.pid!))
    const started = performance.now()
    // As many for each process: what it compiles while it warms up weighs the same.
    const each = Math.ceil(messages / BATCH / CONNECTIONS)
    await Promise.all(senders.map((sender) => sender.send(each)))
    const seconds = (performance.now() - started) / 1000
    const sent = each * senders.length * BATCH
    const cpu = servers.map(({ process }, index) => cpuSeconds(process.pid!) - cpuBefore[index]!)
    const total = cpu.reduce((sum, one) => sum + one, 0)
    const cost = databaseCost(before, await databaseFigures(pair, database), sent)
    const figures = { rate: sent / seconds, cpuMicroseconds: (total / sent) * 1e6 }
    console.log(
      `${processes} ingest: ${Math.round(figures.rate)} messages/s of time, ${figures.cpuMicroseconds.toFixed(1)} us of CPU a message ` +
        `(${cpu.map((one) => one.toFixed(1)).join(' + ')} s); database: ${cost}`,
    )
    return figures
  } finally {
    await stopAll(servers)
  }
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
      else await new Promise((resolve) => setTimeout(resolve, 200))
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

/** Messages that wait in a stream, into one ingest process; null where the machine does not have the broker. */
export async function ingestFrom(
  kind: 'nats' | 'kafka',
  pair: PostgresPair,
  messages: number,
): Promise<IngestFigures | null> {
  const broker = await (kind === 'nats' ? startNatsServer() : startKafkaServer())
  if (broker === null) return null
  const database = `stream_${kind}`
  await pair.query(`CREATE DATABASE ${database}`)
  const servers: Started[] = []
  try {
    const source = new MessageSource(5)
    for (let sent = 0; sent < messages; sent += RECORDS) await broker.publish(TOPIC, source.take(RECORDS))
    const flags = ['--roles', 'ingest']
    servers.push(await startProcess(pair, database, [...flags, '--stream-url', broker.url]))
    const counted = () => metric(servers[0]!, 'vigil_stream_messages{outcome="accepted"}')
    // From the first tenth on: what came before holds the start of the process.
    const first = await until('a tenth is taken', counted, {
      isRight: (n) => n > messages / 10,
      ms: PATIENCE_MS,
    })
    const started = performance.now()
    const cpuBefore = cpuSeconds(servers[0]!.process.pid!)
    await until('all are taken', counted, { isRight: (n) => n >= messages, ms: PATIENCE_MS })
    const seconds = (performance.now() - started) / 1000
    const cpu = cpuSeconds(servers[0]!.process.pid!) - cpuBefore
    const figures = { rate: (messages - first) / seconds, cpuMicroseconds: (cpu / (messages - first)) * 1e6 }
    console.log(
      `${kind}: ${Math.round(figures.rate)} messages/s of time, ${figures.cpuMicroseconds.toFixed(1)} us of CPU a message`,
    )
    return figures
  } finally {
    await stopAll(servers)
    await broker.stop()
  }
}

async function metric({ baseUrl }: Started, name: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': KEY } })
  const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length))
}
