import { Failure, type FailureDetails } from './failure.ts'

/** The end of a line between two threads: a `Worker`, or the parent port of one. */
export interface ThreadPort {
  postMessage(message: unknown): void
  on(event: string, listener: (message: unknown) => void): unknown
}

/** What one side answers, by name. Arguments and results are copied; an AbortSignal behind them is not. */
export type ThreadMethods = Readonly<Record<string, (...args: never[]) => unknown>>

/** The methods of a side as the other side calls them. */
type Result<Method> = Method extends (...args: never[]) => infer R ? Promise<Awaited<R>> : never
type Arguments<Method> = Method extends (...args: infer A) => unknown ? A : never

/** An error on its way between threads; `code` is null for errors that are not a Failure. */
interface ThreadError {
  readonly code: string | null
  readonly details: FailureDetails
  readonly message: string
  readonly stack?: string | undefined
}

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: ThreadError }

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * Calls between two threads in both directions. A Failure of the other side is thrown as such; a method gets an
 * AbortSignal behind its arguments, which is aborted when its caller's is.
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
    signal?: AbortSignal,
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
      this.#send({ kind: 'call', id, method, args })
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

  #send(message: Message): void {
    if (this.#end === null) this.#port.postMessage(message)
  }

  #take(message: Message): void {
    if (message.kind === 'call') void this.#answer(message)
    else if (message.kind === 'abort') this.#answering.get(message.id)?.abort()
    else {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.kind === 'result') waiting?.resolve(message.result)
      else waiting?.reject(localError(message.error))
    }
  }

  async #answer({ id, method, args }: Message & { kind: 'call' }): Promise<void> {
    const abort = new AbortController()
    this.#answering.set(id, abort)
    try {
      const run = this.#own[method] as ((...all: unknown[]) => unknown) | undefined
      if (run === undefined) throw new Error(`no method ${method}`)
      this.#send({ kind: 'result', id, result: await run(...args, abort.signal) })
    } catch (error) {
      this.#send({ kind: 'error', id, error: threadError(error) })
    } finally {
      this.#answering.delete(id)
    }
  }
}

function threadError(error: unknown): ThreadError {
  if (error instanceof Failure) return { code: error.code, details: error.details, message: error.message }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  return { code: null, details: {}, message, stack }
}

function localError({ code, details, message, stack }: ThreadError): Error {
  if (code !== null) return new Failure(code, details)
  const local = new Error(message)
  if (stack !== undefined) local.stack = stack
  return local
}
