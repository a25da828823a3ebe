import { isEndingSegment, literalText, splitSuffixes } from './path-suffix.ts'
import type { ParamType } from './token-form.ts'

/** One segment of a template. A literal whose text is `STRING` is still a literal: the kind tells. */
export type TemplateSegment =
  | { kind: 'literal'; value: string }
  | {
      kind: 'param'
      type: ParamType
      /** Takes all segments that follow. */
      isTail?: boolean
      /** Written without a type (`{id}`): the values seen decide it. */
      isUntyped?: boolean
    }

/** A template in parsed form; `text` is its wire text, for example `/users/INTEGER/orders`. */
interface Template {
  segments: readonly TemplateSegment[]
  text: string
}

const TYPES: ReadonlySet<string> = new Set<ParamType>(['INTEGER', 'FLOAT', 'OBJECT_ID', 'STRING'])
/** Type words that other producers write for a parameter and that are shown as STRING here. */
const FOREIGN_TYPES: ReadonlySet<string> = new Set(['VERSIONED', 'UUID'])

export function isParamType(text: string): text is ParamType {
  return TYPES.has(text)
}

/**
 * Reads a template written with type words (`/users/INTEGER`), braces (`/users/{id}`), colons (`/users/:id`) or
 * angle brackets (`/users/<int:id>`). `{path*}` and a trailing `*` are tails that take all segments that follow.
 */
export function parseTemplate(text: string): Template {
  const segments = splitPath(text).map((value): TemplateSegment => {
    if (isParamType(value)) return { kind: 'param', type: value }
    if (FOREIGN_TYPES.has(value)) return { kind: 'param', type: 'STRING' }
    if (
      value === '*' ||
      value === '**' ||
      /^\{\*?[^{}]*\*\}$|^\{\*[^{}]*\}$|^:[\w-]+\*$|^<path:[\w-]+>$/.test(value)
    ) {
      return { kind: 'param', type: 'STRING', isTail: true, isUntyped: true }
    }
    if (/^<int(eger)?:[\w-]+>$/.test(value)) return { kind: 'param', type: 'INTEGER' }
    if (/^:[A-Za-z_][\w-]*[?+]?$/.test(value) || /^<[\w:.-]+>$/.test(value))
      return { kind: 'param', type: 'STRING' }
    if (value.includes('{') && value.includes('}')) return { kind: 'param', type: 'STRING' }
    return { kind: 'literal', value }
  })
  const last = segments.length - 1
  for (const [i, segment] of segments.entries()) {
    if (segment.kind === 'param' && segment.isTail && i < last) segment.isTail = false
  }
  return { segments, text: formatTemplate(segments) }
}

/** Wire text of parsed segments. */
export function formatTemplate(segments: readonly TemplateSegment[]): string {
  if (segments.length === 0) return '/'
  let text = ''
  for (const segment of segments)
    text += segment.kind === 'literal' ? literalText(segment.value) : `/${segment.type}`
  return text
}

/** Segments of a normalised path; `/` has none. A custom verb or an ending at the end is a separate segment. */
export function splitPath(path: string): string[] {
  if (path === '/' || path === '') return []
  const segments = path.charCodeAt(0) === 47 ? path.slice(1).split('/') : path.split('/')
  segments.push(...splitSuffixes(segments.pop()!))
  return segments
}

/**
 * Segments of a path as a template stands for it: an ending belongs to the value where the template ends in a parameter
 * that takes the whole segment (`/files/{name}` for `/files/a.pdf`).
 */
export function splitPathFor(template: readonly TemplateSegment[], path: string): string[] {
  const segments = splitPath(path)
  const last = template.at(-1)
  return last?.kind === 'param' && isEndingSegment(segments.at(-1) ?? '') ? withWholeEnd(segments) : segments
}

/** Segments with the ending put back where it was. */
export function withWholeEnd(segments: readonly string[]): string[] {
  return [...segments.slice(0, -2), joinSegments(segments.slice(-2))]
}

/** The text that segments were split from, without the slash before the first. */
export function joinSegments(segments: readonly string[]): string {
  return segments.map(literalText).join('').slice(1)
}

/** Text that is equal for templates that differ only in the types of their parameters. */
export function shapeText(segments: readonly TemplateSegment[]): string {
  let text = ''
  for (const segment of segments) text += segment.kind === 'literal' ? literalText(segment.value) : '/{}'
  return text
}
