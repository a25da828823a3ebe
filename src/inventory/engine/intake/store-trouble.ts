import { Failure } from '../../../kit/index.ts'

const ATTEMPTS = 4
const RETRY_AFTER_SECONDS = 2
/** SQLSTATE classes after which the same transaction may succeed: deadlock, serialization, connection trouble. */
const RETRYABLE = /^(?:40|08|57P0[1-3]|53[^1])/
/** SQLSTATE of a disk without space. */
const DISK_FULL = '53100'

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
