import type { LogEntry } from './log-entry.ts'

const MAX_LINE = 65_536
/** Quoted parts may hold escaped quotes. */
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"'
/** Host of the virtual server, address, identity, user, time, request line, status, size; referer and agent where combined. */
const LINE = new RegExp(
  `^(?:([\\w.-]+(?::\\d+)?|\\[[0-9A-Fa-f:.]+\\](?::\\d+)?) )?(\\S+) (\\S+) (\\S+) \\[([^\\]]{1,64})\\] ${QUOTED} (\\d{3}|-) (\\S+)(?: ${QUOTED} ${QUOTED})?`,
)
const START = /^(?:\S+ ){3,4}\[\d{1,2}\/[A-Za-z]{3}\/\d{4}:[^\]]{1,64}\] "/

/** True when the first line with text has the common log format, or the combined one. */
export function isCommonLog(head: string): boolean {
  const first = /\S.*/.exec(head.slice(0, MAX_LINE))?.[0] ?? ''
  return START.test(first)
}

/** One line of the common or combined log format; the reason as text where it is none. */
export function readCommonLine(line: string): LogEntry | string {
  if (line.length > MAX_LINE) return `the line is longer than ${MAX_LINE} characters`
  const parts = LINE.exec(line)
  if (parts === null) return 'the line does not have the common or combined log format'
  const [, host = '', client = '', , , time = '', request = '', status = '', , referer = '', agent = ''] =
    parts
  return {
    request: unescaped(request),
    method: '',
    url: '',
    query: '',
    host,
    scheme: '',
    status,
    time,
    client,
    agent: unescaped(agent),
    referer: unescaped(referer),
    type: '',
  }
}

/** nginx writes `\x22`, Apache `\"`. */
function unescaped(text: string): string {
  return text.replace(/\\x([0-9A-Fa-f]{2})|\\(["\\])/g, (_whole, hex: string | undefined, sign: string) =>
    hex === undefined ? sign : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
