/** How a process shows that it is at work. */
export interface HeartbeatOptions {
  readonly everyMs: number
  /** Renews the lease; false when it was lost, or nobody wants the work any longer. */
  readonly beat: () => Promise<boolean>
  readonly onError: (error: unknown) => void
}

/**
 * Does work under a lease, which is renewed until the work is done.
 *
 * @param work gets a signal that is aborted when the lease was lost
 * @throws what the work throws
 */
export async function withHeartbeat<T>(
  { everyMs, beat, onError }: HeartbeatOptions,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const timer = setInterval(() => {
    beat().then((isOurs) => {
      if (!isOurs) lost.abort()
    }, onError)
  }, everyMs)
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(timer)
  }
}
