import { Failure, nowSeconds } from '../../../kit/index.ts'
import type { EngineFigures } from '../port.ts'

const ATTEMPTS = 4
const RETRY_AFTER_SECONDS = 2
/** SQLSTATE classes after which the same transaction may succeed: deadlock, serialization, connection trouble. */
const RETRYABLE = /^(?:40|08|57P0[1-3]|53[^1])/
/** SQLSTATE of a disk without space. */
const DISK_FULL = '53100'
/** A store that has refused nothing for so long counts as mended: nobody may be sending. */
const REFUSAL_SECONDS = 20

/** Does work in a transaction, again where that may succeed after what the store said. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt >= ATTEMPTS || code === undefined || !RETRYABLE.test(code)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt))
    }
  }
}

/** Trouble with the store is no fault of the sender: it may come back with the same messages. */
export function storeFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code } = error as { code?: string }
  if (code === DISK_FULL) return new Failure('STORE_FULL', {}, { cause: error })
  return code !== undefined && RETRYABLE.test(code)
    ? new Failure('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS }, { cause: error })
    : error
}

/** Whether the store took the last messages, as far as anybody sent some lately. */
export class StoreRefusal {
  #last: { readonly code: EngineFigures['refusal']; readonly at: number } | null = null

  /** Notes why messages were not committed. */
  note(failure: unknown): void {
    const code = failure instanceof Failure ? failure.code : null
    // Others are about the messages.
    if (code !== null && code !== 'STORE_FULL' && code !== 'OVERLOADED') return
    this.#last = { code: code === 'STORE_FULL' ? code : 'STORE_UNAVAILABLE', at: nowSeconds() }
  }

  /** Messages were committed. */
  clear(): void {
    this.#last = null
  }

  get code(): EngineFigures['refusal'] {
    return this.#last !== null && nowSeconds() - this.#last.at < REFUSAL_SECONDS ? this.#last.code : null
  }
}
