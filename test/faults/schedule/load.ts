import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { TOPIC } from './cluster.ts'
import { Random } from './random.ts'
import { KEY } from './vigil-process.ts'

const SENDERS = 3
const BATCH = 30
const PAUSE_MS = 25
const ANSWER_MS = 10_000
/** When all faults are mended, everything must be taken within this time. */
const PATIENCE_MS = 180_000
const RETRY_MS = 100
const RECORDS = 40
const RECORDS_EVERY_MS = 80
/** Of each batch. */
const ATTACKS = 3
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
    if (this.#cluster.broker !== null) work.push(this.#publish())
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

  async #send(number: number): Promise<void> {
    const takers = this.#cluster.processes.filter(({ takesTraffic }) => takesTraffic)
    for (let turn = number; this.#overAt === null; turn++) {
      const messages = Array.from({ length: BATCH }, (_, at) => this.#message(at < ATTACKS, turn % 2 === 0))
      // As a load balancer: any of them, another one the next time.
      const isTaken = await this.#sendUntilTaken(
        JSON.stringify({ batchData: messages }),
        () => takers[turn++ % takers.length]!.clients.port,
      )
      if (!isTaken) return
      this.sent.http += BATCH
      for (const { path } of messages.slice(0, ATTACKS)) this.sent.attacks.add(path)
      await sleep(PAUSE_MS)
    }
  }

  async #sendUntilTaken(body: string, nextPort: () => number): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const problem = await postBatch(nextPort(), body)
      if (problem === null) return true
      if (tries === 1) this.sent.resent++
      if (problem !== AWAY) this.sent.problems.push(problem)
      if (this.#isLate()) {
        this.sent.problems.push(`a batch was not taken within ${PATIENCE_MS / 1000} s`)
        return false
      }
      await sleep(RETRY_MS)
    }
  }

  async #publish(): Promise<void> {
    const broker = this.#cluster.broker!
    for (let first = 1; this.#overAt === null; first += RECORDS) {
      const values = Array.from({ length: RECORDS }, (_, at) => this.#record(first + at))
      const ids = values.map((_, at) => `${this.#name}-${first + at}`)
      while (!(await broker.publish(TOPIC, values, ids).then(...YES_OR_NO))) {
        if (this.#isLate()) {
          this.sent.problems.push(`a record was not published within ${PATIENCE_MS / 1000} s`)
          return
        }
        await sleep(RETRY_MS)
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
      path: isAttack ? `/stock?q=1+union+select+${this.#name}-${number}` : this.#path(number),
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

/** @returns null when the batch was taken, {@link AWAY}, or what is wrong with the answer */
export async function postBatch(port: number, body: string): Promise<string | null> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(`http://127.0.0.1:${port}/api/ingestData`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    text = await answer.text()
  } catch {
    return AWAY // no answer: killed, paused, cut, or slow
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
