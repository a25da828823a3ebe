import { endsWithin, type Log, reportError } from '../../kit/index.ts'
import type { Reading } from '../metrics.ts'
import { readOtelSettings } from './otel-settings.ts'

/** At the end of the process, a collector that does not answer holds it no longer than this. */
const CLOSE_MS = 5_000
/** Exports that keep failing are one log line in this time. */
const REPEAT_MS = 600_000

/** Traces and metrics of this process on their way to a collector of OpenTelemetry. */
export interface Telemetry {
  /** Exports these metrics from now on. */
  readMetrics(read: () => Promise<readonly Reading[]>): void
  /** Exports the metrics once more, for a few seconds at most, while there is still something to ask. */
  closeMetrics(): Promise<void>
  /** Exports the spans that are left, for a few seconds at most. */
  close(): Promise<void>
}

const NONE: Telemetry = { readMetrics() {}, async closeMetrics() {}, async close() {} }

/**
 * Exports what OpenTelemetry's variables ask for: nothing unless they name an endpoint. To be called before threads
 * start, which record as the process does when they are started.
 *
 * @throws Failure TELEMETRY_UNUSABLE
 */
export async function beginTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  { log, ...of }: { readonly log: Log; readonly version: string; readonly roles: readonly string[] },
): Promise<Telemetry> {
  const settings = readOtelSettings(environment)
  if (settings.traces === null && settings.metrics === null) return NONE
  // Loaded by those who export.
  const { beginExport } = await import('./export.ts')
  let toldMs = Number.NEGATIVE_INFINITY
  const onError = (error: unknown): void => {
    if (performance.now() - toldMs < REPEAT_MS) return
    toldMs = performance.now()
    log.warn('part.failed', { part: 'telemetry', error: reportError(error) })
  }
  const running = beginExport(settings, { ...of, onError })
  const ended = async (end: Promise<void>): Promise<void> => {
    if (!(await endsWithin(CLOSE_MS, end.catch(onError)))) log.warn('part.cut', { part: 'telemetry' })
  }
  return {
    readMetrics: (read) => running.readMetrics(read),
    closeMetrics: () => ended(running.closeMetrics()),
    close: () => ended(running.close()),
  }
}
