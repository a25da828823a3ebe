/**
 * What may follow the last value of a path within its segment: a custom verb (`/instances/i1:start`) and the ending of a
 * data format (`/reports/7.pdf`). In the path engine each is a segment without a slash, so that what stands before it can
 * be a parameter: `/instances/STRING:start`, `/reports/INTEGER.pdf`.
 */
import { verbAt } from './custom-verb.ts'

/** Endings that choose the representation of a resource; every other ending belongs to the name before it. */
const ENDING = /\.(?:json|xml|csv|pdf)$/i
/** Mark a suffix; no segment of a normalised path begins with a blank. */
const VERB_MARK = ' :'
const ENDING_MARK = ' .'

/** Where the ending of a segment begins, at its dot; -1 without one. */
function endingAt(segment: string): number {
  const { length } = segment
  const dot = segment.charCodeAt(length - 4) === 46 ? length - 4 : length - 5
  return dot > 0 && segment.charCodeAt(dot) === 46 && ENDING.test(segment) ? dot : -1
}

/** Where the custom verb or the ending of a segment begins, the verb first; -1 without either. */
export function suffixAt(segment: string): number {
  const dot = endingAt(segment)
  const colon = verbAt(dot < 0 ? segment : segment.slice(0, dot))
  return colon < 0 ? dot : colon
}

/** The value of a segment, and a segment of the path engine for each suffix. */
export function splitSuffixes(segment: string): string[] {
  const dot = endingAt(segment)
  const rest = dot < 0 ? segment : segment.slice(0, dot)
  const colon = verbAt(rest)
  const parts = colon < 0 ? [rest] : [rest.slice(0, colon), ` ${rest.slice(colon)}`]
  if (dot >= 0) parts.push(` ${segment.slice(dot)}`)
  return parts
}

/** True for a verb or an ending made by {@link splitSuffixes}. */
export function isSuffixSegment(segment: string): boolean {
  return segment.startsWith(VERB_MARK) || isEndingSegment(segment)
}

/** True for an ending made by {@link splitSuffixes}. */
export function isEndingSegment(segment: string): boolean {
  return segment.startsWith(ENDING_MARK)
}

/** True for the last segment that is not a suffix. */
export function isLastValue(segments: readonly string[], at: number): boolean {
  return at === segments.length - 1 || isSuffixSegment(segments[at + 1]!)
}

/** What a literal segment adds to the text of a path: a slash before it, except for a suffix. */
export function literalText(segment: string): string {
  return isSuffixSegment(segment) ? segment.slice(1) : `/${segment}`
}
