import { Failure } from '../../kit/index.ts'

/**
 * Waits for a call to the browser for at most a time. A call that is too late is left to itself.
 *
 * @throws Failure BROWSER_TIMED_OUT; what the call throws in time
 */
export async function withDeadline<T>(call: Promise<T>, ms: number, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Failure('BROWSER_TIMED_OUT', { call: name, ms })), ms)
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
    // Anyone who is late may still fail; nobody listens any more.
    call.catch(() => {})
  }
}
