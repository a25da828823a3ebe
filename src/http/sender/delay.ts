/** Waits; rejects with the reason of the signal as soon as it is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const done = (): void => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
