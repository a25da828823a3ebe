import type { IncomingMessage, ServerResponse } from 'node:http'

export interface VigilOptions {
  /** Address of Vigil, such as `https://vigil.internal`. */
  readonly url: string
  /** API key of Vigil; a key that may only ingest is enough. */
  readonly key: string
  /** Collection for all messages; without it each goes to the collection of its host. */
  readonly collectionId?: number
  /** Share of the requests that are sent, from 0 to 1; 1 unless given. */
  readonly sampleRate?: number
  /**
   * Most of one core that the middleware may use, from 0 to 1; 0.02 unless given. While it is used up, requests are not
   * captured, and counted as skipped; 1 captures all.
   */
  readonly maxCpuShare?: number
  /** Longest body that is sent, in bytes; of a longer one only the headers are. 64 KiB unless given. */
  readonly maxBodyBytes?: number
  /** Bytes that may wait to be sent; beyond them messages are dropped and counted. 8 MiB unless given. */
  readonly maxQueueBytes?: number
  /** Bytes of one request to Vigil, roughly. 1 MiB unless given. */
  readonly maxBatchBytes?: number
  /** Longest wait of a message for others, in milliseconds; 1000 unless given. */
  readonly flushMs?: number
  /** Longest time of one request to Vigil, in milliseconds; 5000 unless given. */
  readonly timeoutMs?: number
  /** Names of headers whose values are replaced, in addition to those of credentials. */
  readonly redactHeaders?: readonly string[]
  /** Names of query parameters and body fields whose values are replaced, in addition to those of secrets. */
  readonly redactFields?: readonly string[]
}

/** Messages since start. */
export interface VigilStats {
  /** Requests that were answered and chosen by the sample rate. */
  readonly captured: number
  readonly sent: number
  /** Were not captured, because the middleware had used up `maxCpuShare`. */
  readonly skipped: number
  /** There was no room, or no time left when it was closed. */
  readonly dropped: number
  /** Vigil refused them: a wrong key, for example. */
  readonly rejected: number
  /** Requests that could not be captured. */
  readonly errors: number
  readonly waiting: number
  readonly waitingBytes: number
}

type Next = () => unknown

export interface Vigil {
  /** Captures one request and its response; to be called before the request is read. Never throws. */
  observe(request: IncomingMessage, response: ServerResponse): void
  /** Middleware for Express and Connect. */
  express(): (request: IncomingMessage, response: ServerResponse, next: Next) => void
  /** Middleware for Koa. */
  koa(): (
    context: { req: IncomingMessage; res: ServerResponse },
    next: () => Promise<unknown>,
  ) => Promise<unknown>
  /** Middleware for Hono on Node.js. */
  // biome-ignore lint/suspicious/noExplicitAny: contexts of Hono have the type of their application
  hono(): (context: any, next: () => Promise<void>) => Promise<void>
  /** Plugin for Fastify. */
  // biome-ignore lint/suspicious/noExplicitAny: instances of Fastify have the type of their server
  fastify(): (instance: any, options: unknown, done: () => void) => void
  /** Wraps a listener of `node:http`. */
  handler<Listener extends (request: IncomingMessage, response: ServerResponse) => unknown>(
    listener: Listener,
  ): Listener
  stats(): VigilStats
  /** Sends the messages that wait, for at most `ms` milliseconds. Call it when the application ends. */
  close(ms?: number): Promise<void>
}

/** @throws TypeError when the address or the key is missing, or a share is not a number from 0 to 1 */
export function createVigil(options: VigilOptions): Vigil
