import { PLACE, PLACES_OF } from '../views/leaf.ts'
import type { HitLocation } from './hit.ts'

/** Places beyond those of leaves: readings of one that only some patterns ask for. */
export const EXTRA_PLACE = {
  /** The target behind its first question mark. */
  QUERY_RAW: 1 << 24,
  /** A raw body that begins with `<`. */
  REQUEST_MARKUP: 1 << 25,
  RESPONSE_MARKUP: 1 << 26,
} as const

/** Names and values of headers, cookies left out, and whole blocks of headers. */
export const HEADER_PLACES =
  (1 << PLACE.REQUEST_HEADER_NAME) |
  (1 << PLACE.REQUEST_HEADER_VALUE) |
  (1 << PLACE.RESPONSE_HEADER_NAME) |
  (1 << PLACE.RESPONSE_HEADER_VALUE)
export const RAW_HEADERS = PLACES_OF.REQUEST_HEADERS_RAW | PLACES_OF.RESPONSE_HEADERS_RAW

/** Where a term of the language looks for text. Numbers are sets of places, as bits. */
export interface TextTerm {
  readonly location: HitLocation
  /** Decoded leaves. */
  readonly decoded: number
  /** The undecoded whole. */
  readonly raw: number
  /** The undecoded whole where it is markup. */
  readonly markup: number
  /** Leaves that are values, for `value`. */
  readonly values: number
  /** Leaves that are names, for `key`. */
  readonly names: number
}

const bit = (place: number): number => 1 << place
const PAYLOAD_VALUES = bit(PLACE.REQUEST_BODY_VALUE) | bit(PLACE.REQUEST_FILE_NAME)

/** The terms that look at text, by name. */
export const TEXT_TERMS: ReadonlyMap<string, TextTerm> = new Map<string, TextTerm>([
  [
    'url',
    {
      location: 'url',
      decoded: PLACES_OF.URL_DECODED | PLACES_OF.URL_RAW,
      raw: 0,
      markup: 0,
      values: 0,
      names: 0,
    },
  ],
  [
    'query_param',
    {
      location: 'query_param',
      decoded: PLACES_OF.QUERY_DECODED,
      raw: EXTRA_PLACE.QUERY_RAW,
      markup: 0,
      values: bit(PLACE.QUERY_VALUE),
      names: bit(PLACE.QUERY_NAME),
    },
  ],
  [
    'request_headers',
    {
      location: 'request_headers',
      decoded: PLACES_OF.REQUEST_HEADERS_DECODED,
      raw: PLACES_OF.REQUEST_HEADERS_RAW,
      markup: 0,
      values: bit(PLACE.REQUEST_HEADER_VALUE) | bit(PLACE.COOKIE_VALUE),
      names: bit(PLACE.REQUEST_HEADER_NAME) | bit(PLACE.COOKIE_NAME),
    },
  ],
  [
    'request_payload',
    {
      location: 'request_payload',
      decoded: PLACES_OF.REQUEST_PAYLOAD_DECODED,
      raw: PLACES_OF.REQUEST_PAYLOAD_RAW,
      markup: EXTRA_PLACE.REQUEST_MARKUP,
      values: PAYLOAD_VALUES,
      names: bit(PLACE.REQUEST_BODY_KEY),
    },
  ],
  [
    'response_headers',
    {
      location: 'response_headers',
      decoded: PLACES_OF.RESPONSE_HEADERS_DECODED,
      raw: PLACES_OF.RESPONSE_HEADERS_RAW,
      markup: 0,
      values: bit(PLACE.RESPONSE_HEADER_VALUE),
      names: bit(PLACE.RESPONSE_HEADER_NAME),
    },
  ],
  [
    'response_payload',
    {
      location: 'response_payload',
      decoded: PLACES_OF.RESPONSE_PAYLOAD_DECODED,
      raw: PLACES_OF.RESPONSE_PAYLOAD_RAW,
      markup: EXTRA_PLACE.RESPONSE_MARKUP,
      values: bit(PLACE.RESPONSE_BODY_VALUE),
      names: bit(PLACE.RESPONSE_BODY_KEY),
    },
  ],
])

/** A name of headers before a colon: one with a hyphen, or one of those without. */
const HEADER_LINE =
  /(?:^|[^\w-])(?:[a-z]+(?:-[a-z0-9]+)+|host|cookie|accept|referer|origin|authorization|via|range|upgrade|connection|forwarded)\)*(?:\\s|[ *+?])*:/i

/**
 * Whether a text can only be met undecoded, or across the parts that a message is taken apart into: percent signs and
 * backslashes, JSON around a quotation mark, pairs of a form, lines of headers. Null signs: the pattern is not known.
 */
function needsRaw(source: string, signs: ReadonlySet<string> | null, location: HitLocation): boolean {
  if (signs === null || signs.has('%') || signs.has('\\')) return true
  if (location === 'request_headers' || location === 'response_headers')
    return HEADER_LINE.test(source) || /\\[rn]/.test(source)
  if (signs.has('&') && signs.has('=')) return true
  return signs.has('"') && /[:{}[\],]/.test([...signs].join(''))
}

/** Places that a pattern or word of a term is looked for at. */
export function placesOf(term: TextTerm, source: string, signs: ReadonlySet<string> | null): number {
  const isMarkup = signs?.has('<') === true ? term.markup : 0
  return term.decoded | isMarkup | (needsRaw(source, signs, term.location) ? term.raw : 0)
}

/** The term that looks at a place first of all. */
export function locationOf(place: number): HitLocation {
  for (const { location, decoded, raw } of [...TEXT_TERMS.values()].reverse())
    if (((decoded | raw) & bit(place)) !== 0) return location
  return 'url'
}

/** What has to be read of a message for these places: without the extra ones, and with what they are taken from. */
export function leafPlacesOf(places: number): number {
  let wanted = places & (EXTRA_PLACE.QUERY_RAW - 1)
  if ((places & EXTRA_PLACE.QUERY_RAW) !== 0) wanted |= PLACES_OF.URL_RAW
  if ((places & EXTRA_PLACE.REQUEST_MARKUP) !== 0) wanted |= PLACES_OF.REQUEST_PAYLOAD_RAW
  if ((places & EXTRA_PLACE.RESPONSE_MARKUP) !== 0) wanted |= PLACES_OF.RESPONSE_PAYLOAD_RAW
  return wanted
}
