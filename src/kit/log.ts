import { type DestinationStream, destination, pino } from 'pino'
import type { ErrorReport } from './error-report.ts'
import type { LogEvents } from './log-events.ts'
import { workContext } from './tracing.ts'

/** Name of a log line. */
export type LogEvent = keyof LogEvents

/** Least level that is written. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/**
 * The log: one JSON object a line. The events and their fields are a closed list ({@link LogEvents}), so that no
 * body, key, cookie or header value can get in by accident.
 */
export interface Log {
  /** A person must act. */
  error<Event extends LogEvent>(event: Event, fields: LogEvents[Event]): void
  /** Works, but less well than it should. */
  warn<Event extends LogEvent>(event: Event, fields: LogEvents[Event]): void
  /** A change of state. */
  info<Event extends LogEvent>(event: Event, fields: LogEvents[Event]): void
  /** For those who look into something; off by default. */
  debug<Event extends LogEvent>(event: Event, fields: LogEvents[Event]): void
  /** Writes what is still held; for the end of the process. */
  flush(): void
}

const STDERR = 2

/** A log on standard error, or on `target` (tests). Lines: `{"level","time","event",…fields}`, time in UTC. */
export function createLog(level: LogLevel, target?: DestinationStream): Log {
  const stderr = target ? null : destination({ dest: STDERR, sync: false })
  const writer = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    target ?? stderr!,
  )
  return {
    error: (event, fields) => writer.error(line(event, fields)),
    warn: (event, fields) => writer.warn(line(event, fields)),
    info: (event, fields) => writer.info(line(event, fields)),
    debug: (event, fields) => writer.debug(line(event, fields)),
    flush: () => stderr?.flushSync(),
  }
}

type Plain = string | number | boolean | null | readonly string[]

/** The request that the line belongs to, and its span, so that logs and traces lead to each other. */
function ofPresentWork(): Record<string, Plain> {
  const { requestId = null, trace = null } = workContext() ?? {}
  return {
    ...(requestId === null ? {} : { requestId }),
    ...(trace === null ? {} : { traceId: trace.traceId, spanId: trace.spanId }),
  }
}

/** Only plain values pass, whatever a caller hands over beside the declared fields. */
function line(event: LogEvent, fields: LogEvents[LogEvent]): Record<string, Plain> {
  const { error, ...rest } = fields as Record<string, Plain> & { error?: ErrorReport }
  const plain: Record<string, Plain> = { event, ...ofPresentWork() }
  for (const [name, value] of Object.entries(rest)) {
    plain[name] = typeof value === 'object' && value !== null ? value.map(String) : value
  }
  if (error) {
    plain['errorName'] = error.name
    plain['errorCode'] = error.code
    plain['errorMessage'] = error.message
    plain['errorStack'] = error.stack
  }
  return plain
}
