const ATTEMPTS = 4
/** SQLSTATE classes after which the same transaction may succeed: deadlock, serialization, a pause, connection trouble. */
const RETRYABLE = /^(?:40|08|25P03|57P0[1-3]|53[^1])/

/** Does work in a transaction, up to four times where that may succeed after what the store said. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable((error as { code?: string }).code)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt))
    }
  }
}

/** True for an SQLSTATE after which the same transaction may succeed. */
export function isRetryable(code: string | undefined): boolean {
  return code !== undefined && RETRYABLE.test(code)
}
