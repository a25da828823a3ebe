import type { Mark } from '../../components/exchange/sample-half-view.tsx'

/** What of a message a filter matched. */
export interface Match {
  /** Part of the message, in words. */
  readonly place: string
  readonly phrase: string
  /** Part of the message: URL, HEADER, BODY, RESPONSE_HEADER, RESPONSE_BODY; null when it is not known. */
  readonly part: string | null
  /** Name of the header that matched; null when it is not known, or the match is elsewhere. */
  readonly header: string | null
  /** How the text was read: `plain`, `base64`; empty when it is not said. */
  readonly view: string
}

const places: Record<string, string> = {
  LOCATION_URL: 'the URL',
  LOCATION_HEADER: 'a header',
  LOCATION_BODY: 'the body',
  LOCATION_RESPONSE_HEADER: 'a response header',
  LOCATION_RESPONSE_BODY: 'the response body',
}
const mostMatches = 20
const longestPhrase = 500

/** The matches in the facts of an event, JSON text; none when it holds none. */
export function matchesIn(metadata: string): Match[] {
  const facts = parsed(metadata)
  const errors = [facts['schemaErrors'], facts['schema_errors']].find(Array.isArray) ?? []
  const matches = new Map<string, Match>()
  for (const one of errors.slice(0, mostMatches) as unknown[]) {
    if (typeof one !== 'object' || one === null) continue
    const { location, phrase, attribute } = one as Record<string, unknown>
    if (typeof phrase !== 'string' || phrase === '') continue
    const known =
      typeof location === 'string' && Object.hasOwn(places, location) ? places[location] : undefined
    const place =
      cookieOf(attribute) ??
      known ??
      (typeof attribute === 'string' && attribute !== '' ? attribute : 'the message')
    const part = known === undefined ? null : String(location).replace('LOCATION_', '')
    const match = {
      place,
      phrase: phrase.slice(0, longestPhrase),
      part,
      header: part?.endsWith('HEADER') ? headerOf(attribute) : null,
      view: viewOf((one as Record<string, unknown>)['message']),
    }
    matches.set(`${place} ${match.phrase}`, match)
  }
  return [...matches.values()]
}

const marked: Readonly<Record<string, readonly ['request' | 'response', Mark['part']]>> = {
  URL: ['request', 'line'],
  HEADER: ['request', 'header'],
  BODY: ['request', 'body'],
  RESPONSE_HEADER: ['response', 'header'],
  RESPONSE_BODY: ['response', 'body'],
}

/** What is marked in the request and the response of a message. */
export function marksOf(matches: readonly Match[]): { request: Mark[]; response: Mark[] } {
  const marks: { request: Mark[]; response: Mark[] } = { request: [], response: [] }
  for (const { part, header, phrase } of matches) {
    const place = part === null ? undefined : marked[part]
    if (place !== undefined)
      marks[place[0]].push({ part: place[1], header: header?.toLowerCase() ?? null, phrase })
  }
  return marks
}

/** Whether the facts of an event say that parts of its message were not looked at. */
export function isTruncated(metadata: string): boolean {
  return parsed(metadata)['truncated'] === true
}

function headerOf(attribute: unknown): string | null {
  if (typeof attribute !== 'string' || attribute === '') return null
  return attribute.startsWith('cookie ') ? 'cookie' : attribute
}

/** The reading in brackets at the end of a sentence: "Matched in url (plain)". */
function viewOf(message: unknown): string {
  return typeof message === 'string' ? (/\(([^()]*)\)$/.exec(message)?.[1] ?? '') : ''
}

function cookieOf(attribute: unknown): string | undefined {
  return typeof attribute === 'string' && attribute.startsWith('cookie ') ? `the ${attribute}` : undefined
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
