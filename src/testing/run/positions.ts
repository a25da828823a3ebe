import { templateWords } from '../../contract/vocabulary.ts'
import { percentDecoded } from '../../kit/index.ts'
import { type MessageView, type NamedValue, textOf } from '../../rules/index.ts'
import { urlParts } from '../attempts/url-edits.ts'
import type { PositionPart, TemplatePositions } from '../template/index.ts'

/** A named value of a request that payloads are put into. */
export interface Position {
  readonly part: PositionPart
  readonly name: string
  /** It gets every payload; the others get the first, and the rest when they react to it. */
  isOpen: boolean
  /** Payloads were left out, because it did not react to the first text. */
  isCut?: boolean
  /** A fixed last segment of a path: a value of which only one was recorded, if the application takes others there. */
  readonly isGuess?: true
}

/** What a test tries of a request. */
export interface FoundPositions {
  /** Likely ones first, else in the order of the request. */
  readonly positions: readonly Position[]
  /** Further ones that are too many for one test. */
  readonly beyond: number
  /** Names of passwords that are not tried. */
  readonly secrets: readonly string[]
}

/** Segments of a path template that are parameters. */
const PARAMETER_WORDS: ReadonlySet<string> = new Set(templateWords)

/** Most positions that one test tries on one endpoint. */
const MAX_POSITIONS = 100
/** Most headers and cookies: they come with every endpoint. */
const MAX_HEADERS = 10

/** Names of the protocol, of browsers and of trackers in headers and cookies, which applications do not look into as into data. */
const OF_PROTOCOL =
  /^(?::.*|cookie|host|connection|keep-alive|te|trailer|upgrade.*|expect|date|origin|range|if-.*|transfer-encoding|content-.*|accept.*|access-control-.*|sec-.*|cache-control|pragma|priority|dnt|traceparent|tracestate|user-agent|referer|x-requested-with|_ga.*|_gid|_fbp)$/i

/** Headers that proxies and traces add: tried when nothing else is left. */
const OF_PROXIES =
  /^(?:x-forwarded-.*|forwarded|via|x-real-ip|x-(?:request|correlation)-id|x-amzn?-.*|x-b3-.*|x-envoy-.*|cf-.*|baggage)$/i

/** A wrong password counts towards a lockout of the recorded account, a wrong name of an account does not. */
const SECRET = /(?:pass(?:word|wd|phrase|code)?|pwd|pin|otp)$/i
/** Requests that change what is there: a password in them is set, and the recorded user could not sign in any more. */
const CHANGING = new Set(['PUT', 'PATCH'])

/**
 * The named texts and numbers of a part of a request; flags and empty values carry no payload. Of a path the segments
 * that are parameters of its template, and the last one, which may be a parameter that was recorded with one value. Of
 * the headers and cookies those that are not of the protocol, with credentials.
 */
export function positionsOf(
  sample: MessageView,
  template: string,
  { part, likely, recorded, includesSecrets }: TemplatePositions,
): FoundPositions {
  const fits = (value: string): boolean => recorded === null || recorded.test(value)
  if (part === 'path') {
    const segments = segmentsOf(sample, template).filter((segment) => fits(sentAt(segment, sample)))
    return { positions: segments, beyond: 0, secrets: [] }
  }
  const named = namedIn(part, sample).filter(
    ({ name, value }) => name !== '' && (part === 'query' || carriesText(value)) && fits(textOf(value)),
  )
  const isTried = (name: string): boolean => includesSecrets || likely?.test(name) === true
  const isSecret = (name: string): boolean =>
    part === 'body' && SECRET.test(name) && (CHANGING.has(sample.method) || !isTried(name))
  const all = named
    .filter(({ name }) => !isSecret(name))
    .map(({ name }): Position => ({ part, name, isOpen: likely?.test(name) === true }))
    .sort((a, b) => Number(b.isOpen) - Number(a.isOpen))
  const most = part === 'header' ? MAX_HEADERS : MAX_POSITIONS
  return {
    positions: all.slice(0, most),
    beyond: Math.max(0, all.length - most),
    secrets: named.filter(({ name }) => isSecret(name)).map(({ name }) => name),
  }
}

/** Any of them may be a text to the application. */
function segmentsOf(sample: MessageView, template: string): Position[] {
  const segments = pathSegments(template)
  if (segments.length !== pathSegments(sample.url).length) return []
  return segments.flatMap((segment, i): Position[] => {
    const position: Position = { part: 'path', name: String(i + 1), isOpen: false }
    if (PARAMETER_WORDS.has(segment)) return [position]
    return i > 0 && i === segments.length - 1 ? [{ ...position, isGuess: true }] : []
  })
}

function pathSegments(url: string): string[] {
  return urlParts(url)
    .path.split('/')
    .filter((segment) => segment !== '')
}

function namedIn(part: PositionPart, view: MessageView): readonly NamedValue[] {
  if (part === 'query') return view.namedQuery.keys
  if (part === 'body') return view.requestBody.named.keys
  // A cookie named like a header of the protocol would change that header as well.
  const all = [...view.namedRequestHeaders.keys, ...view.cookies].filter(
    ({ name }) => !OF_PROTOCOL.test(name),
  )
  return all.toSorted((a, b) => Number(OF_PROXIES.test(a.name)) - Number(OF_PROXIES.test(b.name)))
}

function carriesText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}

/** The value of a position in a request as it was sent; '' when it is not there. */
export function sentAt({ part, name }: Position, view: MessageView): string {
  if (part === 'path') return percentDecoded(pathSegments(view.url)[Number(name) - 1] ?? '')
  const keys = namedIn(part, view)
  const wanted = name.toLowerCase()
  const found = keys.find((one) => one.name === name) ?? keys.find((one) => one.name.toLowerCase() === wanted)
  return found === undefined ? '' : textOf(found.value)
}
