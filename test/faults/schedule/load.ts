import { setTimeout as sleep } from 'node:timers/promises'
import type { TestBroker } from '../../brokers/broker.ts'
import { until } from '../../until.ts'
import type { Cluster } from './cluster.ts'
import { TOPIC } from './cluster.ts'
import { Random } from './random.ts'
import { KEY } from './vigil-process.ts'

const SENDERS = 3
const BATCH = 30
const PAUSE_MS = 25
/** A sender that heard nothing for so long sends again, and waits twice as long then. */
const ANSWER_MS = 10_000
const LONGEST_ANSWER_MS = 160_000
/** When all faults are mended, everything must be taken within this time, on a slow machine too. */
const PATIENCE_MS = 1_200_000
/** What a fault waits for traffic: another one may keep it away for long. */
const TRAFFIC_MS = 30_000
/** Of a sender that sends out of order: it sends the last one first. */
const HELD_BACK = 3
const RETRY_MS = 100
const RECORDS = 40
const RECORDS_EVERY_MS = 80
/** Of each batch. */
const ATTACKS = 3
const ATTACK = '/stock?q=1+union+select+'
const NAMES = ['rose', 'mark', 'anna', 'otto', 'lena', 'hugo', 'ella', 'ivan', 'nora', 'paul', 'ruth', 'sven']

/** What the load of one schedule sent, and what was acknowledged. */
export interface Sent {
  readonly httpHost: string
  readonly streamHost: string
  /** Messages of batches that were answered 200. */
  http: number
  stream: number
  /** Urls of attacks among them. */
  readonly attacks: Set<string>
  /** Batches that were sent once more, because no answer came or the answer was a refusal. */
  resent: number
  readonly problems: string[]
}

/** Traffic of one schedule: batches over HTTP, each sent until it is taken, and records of the stream. */
export class Load {
  readonly sent: Sent
  readonly #cluster: Cluster
  readonly #name: string
  /** Time of its messages, in seconds. */
  readonly #from: number
  readonly #random: Random
  /** How batches and records are sent from now on. */
  manner: 'plain' | 'twice' | 'out of order' = 'plain'
  /** When it was told to end. */
  #overAt: number | null = null
  #made = 0
  #running: Promise<unknown> = Promise.resolve()

  constructor(cluster: Cluster, name: string, from: number, seed: number) {
    this.#cluster = cluster
    this.#name = name
    this.#from = from
    this.#random = new Random(seed + 1)
    this.sent = {
      httpHost: `${name}.http.example`,
      streamHost: `${name}.stream.example`,
      http: 0,
      stream: 0,
      attacks: new Set(),
      resent: 0,
      problems: [],
    }
  }

  begin(): void {
    const work = Array.from({ length: SENDERS }, (_, number) => this.#send(number))
    if (this.#cluster.broker !== null)
      work.push(this.#publish().catch((error: Error) => void this.sent.problems.push(error.message)))
    this.#running = Promise.all(work)
  }

  /** Ends when everything that was sent is taken. */
  async end(): Promise<void> {
    this.#overAt = performance.now()
    await this.#running
  }

  /** Gives up what is not taken yet. */
  async abort(): Promise<void> {
    this.#overAt = Number.NEGATIVE_INFINITY
    await this.#running
  }

  /** Ends when another batch was taken, none is for long, or the load ends. */
  async awaitTaken(): Promise<void> {
    const before = this.sent.http
    const isOver = (): boolean => this.sent.http > before || this.#overAt !== null
    const wait = until('a batch is taken', isOver, { ms: TRAFFIC_MS })
    await wait.catch(() => {})
  }

  async #send(number: number): Promise<void> {
    const takers = this.#cluster.processes.filter(({ takesTraffic }) => takesTraffic)
    let turn = number
    // As a load balancer: any of them, another one the next time.
    const nextPort = (): number => takers[turn++ % takers.length]!.clients.port
    while (this.#overAt === null) {
      const count = this.manner === 'out of order' ? HELD_BACK : 1
      const batches = Array.from({ length: count }, () => this.#batch(turn++ % 2 === 0))
      for (const messages of batches.reverse()) {
        const body = JSON.stringify({ batchData: messages })
        const times = this.manner === 'twice' ? [1, 2] : [1]
        const taken = await Promise.all(times.map(() => this.#sendUntilTaken(body, nextPort)))
        if (taken.includes(false)) return
        this.sent.http += BATCH
        for (const { path } of messages) if (path.startsWith(ATTACK)) this.sent.attacks.add(path)
      }
      await sleep(PAUSE_MS)
    }
  }

  #batch(hasIds: boolean) {
    const messages = Array.from({ length: BATCH }, (_, at) => this.#message(at < ATTACKS, hasIds))
    return this.manner === 'out of order' ? messages.reverse() : messages
  }

  async #sendUntilTaken(body: string, nextPort: () => number): Promise<boolean> {
    let answerMs = ANSWER_MS
    for (let tries = 1; ; tries++) {
      const problem = await postBatch(nextPort(), body, answerMs)
      if (problem === null) return true
      if (tries === 1) this.sent.resent++
      if (problem === LATE) answerMs = Math.min(2 * answerMs, LONGEST_ANSWER_MS)
      else if (problem !== AWAY) this.sent.problems.push(problem)
      if (this.#isLate()) {
        this.sent.problems.push(`a batch was not taken within ${PATIENCE_MS / 1000} s`)
        return false
      }
      await sleep(RETRY_MS)
    }
  }

  async #publish(): Promise<void> {
    const broker = this.#cluster.broker!
    const before = await broker.records(TOPIC)
    await this.#publishAll(broker)
    // A producer without ids may leave a record twice that it sent again: what is there was delivered.
    const there = (await broker.records(TOPIC)) - before
    if (there < this.sent.stream)
      this.sent.problems.push(`the broker has ${there} of ${this.sent.stream} records that it acknowledged`)
    this.sent.stream = there
  }

  async #publishAll(broker: TestBroker): Promise<void> {
    for (let first = 1; this.#overAt === null; first += RECORDS) {
      const numbers = Array.from({ length: RECORDS }, (_, at) => first + at)
      if (this.manner === 'out of order') numbers.reverse()
      const values = numbers.map((number) => this.#record(number))
      const ids = numbers.map((number) => `${this.#name}-${number}`)
      for (let copies = this.manner === 'twice' ? 2 : 1; copies > 0; ) {
        if (await broker.publish(TOPIC, values, ids).then(...YES_OR_NO)) copies--
        else if (this.#isLate()) {
          this.sent.problems.push(`a record was not published within ${PATIENCE_MS / 1000} s`)
          return
        } else await sleep(RETRY_MS)
      }
      this.sent.stream += RECORDS
      await sleep(RECORDS_EVERY_MS)
    }
  }

  #isLate(): boolean {
    return this.#overAt !== null && performance.now() > this.#overAt + PATIENCE_MS
  }

  #message(isAttack: boolean, hasId: boolean) {
    const number = ++this.#made
    return {
      ...(hasId ? { id: `${this.#name}-${number}` } : {}),
      method: 'GET',
      path: isAttack ? `${ATTACK}${this.#name}-${number}` : this.#path(number),
      requestHeaders: { host: this.sent.httpHost },
      responseHeaders: { 'content-type': 'application/json' },
      responsePayload: `{"n":${number}}`,
      statusCode: 200,
      ip: `203.0.113.${number % 200}`,
      time: this.#from + (number % 300),
      source: 'MIRRORING',
    }
  }

  /** A record as collectors publish it: every value is text. */
  #record(number: number): string {
    return JSON.stringify({
      path: this.#path(number),
      method: 'GET',
      type: 'HTTP/1.1',
      requestHeaders: JSON.stringify({ host: this.sent.streamHost }),
      responseHeaders: '{"content-type":"application/json"}',
      requestPayload: '',
      responsePayload: `{"n":${number}}`,
      statusCode: '200',
      status: 'OK',
      ip: '203.0.113.9',
      time: String(this.#from + (number % 300)),
      akto_account_id: '1000000',
      akto_vxlan_id: '0',
      is_pending: 'false',
      source: 'MIRRORING',
    })
  }

  /** Few endpoints; some only once their paths are known to be of one template. */
  #path(number: number): string {
    switch (number % 4) {
      case 0:
        return `/orders/${Math.floor(this.#random.number() * 1000)}/lines`
      case 1:
        return `/people/${this.#random.of(NAMES)}`
      default:
        return `/shelves/${this.#random.of(['count', 'list', 'audit'])}`
    }
  }
}

const YES_OR_NO = [() => true, () => false] as const
/** The answer that a sender expects of an installation in trouble: none, or a refusal that says when to come back. */
const AWAY = 'away'
/** The same, when the sender waited for an answer as long as it does. */
const LATE = 'late'

/** @returns null when the batch was taken, {@link AWAY}, {@link LATE}, or what is wrong with the answer */
export async function postBatch(port: number, body: string, answerMs = ANSWER_MS): Promise<string | null> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(`http://127.0.0.1:${port}/api/ingestData`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body,
      signal: AbortSignal.timeout(answerMs),
    })
    text = await answer.text()
  } catch (error) {
    // No answer: killed, paused, cut, or slow.
    return (error as Error).name === 'TimeoutError' ? LATE : AWAY
  }
  if (answer.ok) return problemOf(text, body)
  if ((answer.status === 503 || answer.status === 429) && answer.headers.has('retry-after')) return AWAY
  return `ingestData answered ${answer.status} without Retry-After: ${text.slice(0, 300)}`
}

function problemOf(text: string, body: string): string | null {
  const { accepted, duplicates } = JSON.parse(text) as { accepted: number; duplicates: number }
  const { batchData } = JSON.parse(body) as { batchData: unknown[] }
  return accepted + duplicates === batchData.length
    ? null
    : `a batch was not taken whole: ${text.slice(0, 300)}`
}
