/** A burst may use up what a quiet time of this length would have given. */
const BURST_MS = 2000
/**
 * What the clock does not see: garbage collection, calls that pass through, the socket to Vigil, and what frameworks take
 * longer for with a request whose methods were replaced. Measured with bench/middleware.
 */
const UNSEEN = 4
/** Work that seems to take longer was probably interrupted by other programs: then the CPU time is asked. */
const LONG_MS = 1
/** Time that passed is read so often; reading it for each request would cost more than the requests. */
const READ_EVERY_MS = 20

/**
 * Milliseconds for which the event loop of this thread waited, and that a processor worked for the process, so far; null
 * in a runtime that does not tell.
 */
function readUsage() {
  if (typeof performance.eventLoopUtilization !== 'function') return null
  const { user, system } = process.cpuUsage()
  return { idle: performance.eventLoopUtilization().idle, cpu: (user + system) / 1000 }
}

function readClock() {
  return performance.now()
}

/**
 * Holds the time that the middleware takes of the event loop below a share of the time that the application has: what it
 * waits, and what a processor works for it. On a busy machine that is less than the time that passes, and a share of the
 * latter would be more of the former. What the middleware takes is a debt, and while there is one nothing more is captured.
 */
export function createBudget(share, read = readUsage, clock = readClock) {
  const most = share * BURST_MS
  let left = most
  let at = clock()
  let usage = null

  function gain(now) {
    const last = usage
    usage = read()
    const passed = now - at
    const had =
      last === null || usage === null
        ? passed
        : Math.min(passed, usage.idle - last.idle + usage.cpu - last.cpu)
    left = Math.min(most, left + had * share)
    at = now
  }

  return {
    /** Whether another request may be captured at this time. */
    hasTime(now) {
      if (now - at >= READ_EVERY_MS) gain(now)
      return share >= 1 || left > 0
    },
    /** Notes work that began at this time and has ended now. */
    spend(from) {
      let took = clock() - from
      const used = took > LONG_MS && usage !== null ? read() : null
      if (used !== null) took = Math.min(took, used.cpu - usage.cpu)
      left -= took * UNSEEN
    },
  }
}
