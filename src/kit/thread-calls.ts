import { Failure, type FailureDetails } from './failure.ts'
import { type WorkContext, withWorkContext, workContext } from './tracing.ts'

/** The end of a line between two threads: a `Worker`, or the parent port of one. */
export interface ThreadPort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void
  on(event: string, listener: (message: unknown) => void): unknown
}

/** What one side answers, by name. Arguments and results are copied; an AbortSignal behind them is not. */
export type ThreadMethods = Readonly<Record<string, (...args: never[]) => unknown>>

/** A result whose memory is given to the caller instead of copied. */
export class Transferred<T> {
  readonly value: T
  readonly memory: readonly ArrayBuffer[]

  constructor(value: T, memory: readonly ArrayBuffer[]) {
    this.value = value
    this.memory = memory
  }
}

/** How a call is made. */
export interface ThreadCallOptions {
  /** The method gets a signal behind its arguments, which is aborted when this one is. */
  readonly signal?: AbortSignal | undefined
  /** Memory of the arguments that is given away instead of copied. */
  readonly transfer?: readonly ArrayBuffer[]
}

/** The methods of a side as the other side calls them. */
type Result<Method> = Method extends (...args: never[]) => infer R ? Promise<Value<Awaited<R>>> : never
type Value<R> = R extends Transferred<infer T> ? T : R
type Arguments<Method> = Method extends (...args: infer A) => unknown ? A : never

/** An error on its way between threads: what copying an error would lose is beside it. */
export interface ThreadError {
  /** Code of a Failure; null for other errors. */
  readonly code: string | null
  readonly details: FailureDetails
  readonly message: string
  readonly stack?: string | undefined
  /** What a driver says of an error: its own or PostgreSQL's code, and the severity. */
  readonly driver?: { readonly code: string; readonly severity: string | undefined }
}

type Message =
  | {
      readonly kind: 'call'
      readonly id: number
      readonly method: string
      readonly args: readonly unknown[]
      readonly hasSignal: boolean
      /** What the call is made for; the other side works for it. */
      readonly context: WorkContext | null
    }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: ThreadError }

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * Calls between two threads in both directions: the one protocol of all threads. A Failure of the other side is thrown
 * as such; other errors keep their message, their stack and the code that a driver gave them.
 */
export class ThreadCalls<Theirs extends ThreadMethods> {
  readonly #port: ThreadPort
  readonly #own: ThreadMethods
  readonly #waiting = new Map<number, Waiting>()
  readonly #answering = new Map<number, AbortController>()
  #lastId = 0
  #end: Error | null = null

  /** @param own what this side answers */
  constructor(port: ThreadPort, own: ThreadMethods) {
    this.#port = port
    this.#own = own
    port.on('message', (message) => this.#take(message as Message))
  }

  /** @throws what the method throws, and what {@link end} was told once the other side is gone */
  call<Name extends keyof Theirs & string>(
    method: Name,
    args: Arguments<Theirs[Name]> | readonly unknown[],
    { signal, transfer = [] }: ThreadCallOptions = {},
  ): Result<Theirs[Name]> {
    const promise = new Promise((resolve, reject) => {
      if (this.#end !== null) {
        reject(this.#end)
        return
      }
      const id = ++this.#lastId
      const abort = (): void => this.#send({ kind: 'abort', id })
      const done = (): void => signal?.removeEventListener('abort', abort)
      this.#waiting.set(id, {
        resolve: (result) => {
          done()
          resolve(result)
        },
        reject: (error) => {
          done()
          reject(error)
        },
      })
      const context = workContext()
      this.#send({ kind: 'call', id, method, args, hasSignal: signal !== undefined, context }, transfer)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
    return promise as Result<Theirs[Name]>
  }

  /** Refuses what waits for an answer, and every later call; aborts what is being answered. */
  end(error: Error): void {
    this.#end ??= error
    for (const waiting of this.#waiting.values()) waiting.reject(this.#end)
    this.#waiting.clear()
    for (const abort of this.#answering.values()) abort.abort()
  }

  #send(message: Message, transfer: readonly ArrayBuffer[] = []): void {
    if (this.#end === null) this.#port.postMessage(message, transfer)
  }

  #take(message: Message): void {
    if (message.kind === 'call') void withWorkContext(message.context, () => this.#answer(message))
    else if (message.kind === 'abort') this.#answering.get(message.id)?.abort()
    else {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.kind === 'result') waiting?.resolve(message.result)
      else waiting?.reject(localError(message.error))
    }
  }

  async #answer({ id, method, args, hasSignal }: Message & { kind: 'call' }): Promise<void> {
    const abort = new AbortController()
    if (hasSignal) this.#answering.set(id, abort)
    try {
      const run = this.#own[method] as ((...all: unknown[]) => unknown) | undefined
      if (run === undefined) throw new Error(`no method ${method}`)
      const result = await (hasSignal ? run(...args, abort.signal) : run(...args))
      if (result instanceof Transferred)
        this.#send({ kind: 'result', id, result: result.value }, result.memory)
      else this.#send({ kind: 'result', id, result })
    } catch (error) {
      this.#send({ kind: 'error', id, error: threadError(error) })
    } finally {
      this.#answering.delete(id)
    }
  }
}

/** An error as it goes to another thread. */
export function threadError(error: unknown): ThreadError {
  if (error instanceof Failure) return { code: error.code, details: error.details, message: error.message }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  const { code, severity } = Object(error) as { code?: unknown; severity?: unknown }
  const plain = { code: null, details: {}, message, stack }
  if (typeof code !== 'string') return plain
  return { ...plain, driver: { code, severity: typeof severity === 'string' ? severity : undefined } }
}

/** An error as it came from another thread. */
export function localError({ code, details, message, stack, driver }: ThreadError): Error {
  if (code !== null) return new Failure(code, details)
  const local = Object.assign(new Error(message), driver)
  if (stack !== undefined) local.stack = stack
  return local
}
