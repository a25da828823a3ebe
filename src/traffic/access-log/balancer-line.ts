import { logDuration } from './log-duration.ts'
import type { LogEntry } from './log-entry.ts'

const MAX_LINE = 65_536
const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z`
const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`
/** Envoy's own format: times, sizes and durations between the status and the address that the caller gave. */
const ENVOY = new RegExp(
  String.raw`^\[(${TIME})\] ${QUOTED} (\d{1,3})([^"]*) ${QUOTED} ${QUOTED} "[^"]*" ${QUOTED} "[^"]*"`,
)
/** Load balancers of AWS: Application Load Balancers begin with the kind of the connection, classic ones do not. */
const AWS = new RegExp(
  String.raw`^(?:(?:https?|h2|grpcs|wss?) )?(${TIME}) \S+ (\S+) \S+ (\S+ \S+ \S+) (\d{3}|-) \S+ \d+ \d+ ${QUOTED} ${QUOTED}`,
)
const START = new RegExp(String.raw`^(?:\[${TIME}\] "|(?:(?:https?|h2|grpcs|wss?) )?${TIME} \S+ \S+:\d+ )`)

/** True when the first line with text is one of Envoy's format, or of a load balancer of AWS. */
export function isBalancerLog(head: string): boolean {
  return START.test(/\S.*/.exec(head.slice(0, MAX_LINE))?.[0] ?? '')
}

/** One line of such a log; undefined where it is none. */
export function readBalancerLine(line: string): LogEntry | undefined {
  if (line.length > MAX_LINE || !START.test(line)) return undefined
  const envoy = ENVOY.exec(line)
  if (envoy !== null) {
    const [, time = '', request = '', status = '', sizes = '', callers = '', agent = '', host = ''] = envoy
    // Flags of the response, bytes of both bodies, milliseconds, and those of the upstream.
    const durationMs = logDuration(/ (\d+) (?:\d+|-)$/.exec(sizes)?.[1] ?? '', 1)
    return entryOf({
      ...{ time, request, status, agent, host, durationMs },
      client: callers.split(',', 1)[0]!.trim(),
    })
  }
  const aws = AWS.exec(line)
  if (aws === null) return undefined
  const [, time = '', client = '', seconds = '', status = '', request = '', agent = ''] = aws
  return entryOf({
    ...{ time, status, client, agent, host: '', durationMs: sumOf(seconds) },
    request: withoutUsualPort(request),
  })
}

/** Milliseconds of the three parts of a request, in seconds; -1 stands for a part that did not come about. */
function sumOf(seconds: string): number | undefined {
  const parts = seconds.split(' ').map((part) => logDuration(part, 1000))
  return parts.every((part) => part !== undefined) ? parts.reduce((sum, part) => sum + part, 0) : undefined
}

function entryOf(
  known: Pick<LogEntry, 'time' | 'request' | 'status' | 'client' | 'agent' | 'host' | 'durationMs'>,
): LogEntry {
  return { ...known, method: '', url: '', query: '', scheme: '', referer: '', type: '' }
}

/** Load balancers write the port into every URL. */
function withoutUsualPort(request: string): string {
  return request.replace(/ (https:\/\/[^/ ]+):443(?=\/)| (http:\/\/[^/ ]+):80(?=\/)/, ' $1$2')
}
