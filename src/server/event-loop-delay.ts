import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Precision of the measurement: with 10 ms it took an idle process most of the time that it used. */
export const RESOLUTION_MS = 50

/**
 * Measures from now on how long the event loop is held up.
 *
 * @returns a function that tells the longest delay, in seconds, of the last period and of the one under way. Reading
 * changes nothing, so that several readers see the same.
 */
export function watchEventLoop(periodMs = 60_000): () => number {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let before = 0
  setInterval(() => {
    before = delay.max
    delay.reset()
  }, periodMs).unref()
  // What is measured is the time between two ticks: at rest the resolution.
  return () => Math.max(0, Math.max(before, delay.max) / 1e6 - RESOLUTION_MS) / 1e3
}
