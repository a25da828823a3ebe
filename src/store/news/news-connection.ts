import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import type { ProcessNews } from './process-news.ts'

/** The channel that the triggers of the schema notify; the payload is a topic. */
const CHANNEL = 'vigil_news'
/** Notified with a caller that wrote something, by processes that read lists from a standby. */
export const WRITES_CHANNEL = 'vigil_writes'
const ANSWER_MS = 5_000
/** How often the connection is asked to hear an echo, so that one that only seems to be there is given up. */
const ECHO_EVERY_MS = 5_000
/** After so long a connection that was ended is cut. */
const END_MS = 1_000
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 5_000

/** How changes are heard of. */
export interface NewsOptions {
  /** Time for which nobody needs to poll while the connection is there, in milliseconds. */
  readonly quietMs: number
  /** Changes are heard again, or for the first time. */
  readonly onHeard: () => void
  /** A caller wrote something, by this or another process. */
  readonly onWrite: (caller: string) => void
  /** Changes are polled for until the next `onHeard`; called once for each gap. */
  readonly onLost: (error: unknown) => void
}

/**
 * The one connection of a process on which a PostgreSQL server notifies it of committed changes. It is made anew when
 * it breaks. A pooler between that gives each transaction another connection loses notifications without a word, so
 * it must hear an echo that another connection sends before changes count as told.
 */
export class NewsConnection {
  readonly #databaseUrl: string
  readonly #pool: pg.Pool
  readonly #news: ProcessNews
  readonly #options: NewsOptions
  readonly #echoChannel = `vigil_echo_${randomBytes(8).toString('hex')}`
  readonly #closing = new AbortController()
  #client: pg.Client | null = null
  #echoed: () => void = () => {}
  #running: Promise<void> = Promise.resolve()
  #hasSaidLost = false

  /** @param pool other connections to the database, one of which sends the echo */
  constructor(databaseUrl: string, pool: pg.Pool, news: ProcessNews, options: NewsOptions) {
    this.#databaseUrl = databaseUrl
    this.#pool = pool
    this.#news = news
    this.#options = options
  }

  begin(): void {
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    for (let waitMs = FIRST_WAIT_MS; !this.#closing.signal.aborted; ) {
      const error = await this.#listen()
      const wasHeard = this.#news.quietMs > 0
      this.#news.setQuiet(0)
      if (this.#closing.signal.aborted) return
      if (wasHeard || !this.#hasSaidLost) this.#options.onLost(error)
      this.#hasSaidLost = true
      waitMs = wasHeard ? FIRST_WAIT_MS : Math.min(2 * waitMs, LONGEST_WAIT_MS)
      await this.#pause(waitMs)
    }
  }

  /** Listens until the connection breaks; @returns why it did */
  async #listen(): Promise<unknown> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: 'vigil news',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    })
    let end: (error: unknown) => void = () => {}
    const ended = new Promise<unknown>((resolve) => {
      end = resolve
    })
    client.on('error', (error) => end(error))
    client.on('end', () => end(new Error('the connection ended')))
    client.on('notification', ({ channel, payload }) => {
      if (channel === CHANNEL) this.#news.notified(payload ?? '')
      else if (channel === WRITES_CHANNEL) this.#options.onWrite(payload ?? '')
      else this.#echoed()
    })
    const cut = (): void => end(new Error('closing'))
    this.#closing.signal.addEventListener('abort', cut)
    this.#client = client
    try {
      return await Promise.race([ended, this.#keepListening(client)])
    } catch (error) {
      return error
    } finally {
      this.#client = null
      this.#closing.signal.removeEventListener('abort', cut)
      client.end().catch(() => {}) // a server that does not answer is not waited for
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
      setTimeout(() => stream.destroy(), END_MS).unref()
    }
  }

  async #keepListening(client: pg.Client): Promise<never> {
    await client.connect()
    await client.query(`LISTEN ${CHANNEL}; LISTEN ${WRITES_CHANNEL}; LISTEN ${this.#echoChannel}`)
    for (;;) {
      await this.#echo()
      if (this.#news.quietMs === 0) {
        this.#news.setQuiet(this.#options.quietMs)
        this.#hasSaidLost = false
        this.#options.onHeard()
      }
      await this.#pause(ECHO_EVERY_MS)
      if (this.#client !== client) throw new Error('the connection ended')
    }
  }

  /** By another connection: a pooler hands over at once what a connection itself notifies, and may lose all else. */
  async #echo(): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#echoed = resolve
    })
    await this.#pool.query('SELECT pg_notify($1, $2)', [this.#echoChannel, ''])
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const lost = 'notifications do not arrive; a pooler in transaction mode loses them'
      timer = setTimeout(() => reject(new Error(lost)), ANSWER_MS).unref()
    })
    await Promise.race([heard, late]).finally(() => clearTimeout(timer))
  }

  /** Waits, or ends with the process. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#closing.signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms).unref()
      this.#closing.signal.addEventListener('abort', done)
    })
  }
}
