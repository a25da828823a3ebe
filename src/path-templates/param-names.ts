import { singularOf } from './lexicon.ts'
import type { TemplateSegment } from './template.ts'

/**
 * Names for the parameters of a template, for documents made from it: `/orders/INTEGER/items/STRING` gives `orderId`
 * and `itemId`. Names are unique within the template.
 *
 * @returns one entry per segment, null for static ones
 */
export function paramNames(segments: readonly TemplateSegment[]): (string | null)[] {
  const used = new Map<string, number>()
  let literal = ''
  return segments.map((segment) => {
    if (segment.kind === 'literal') {
      literal = segment.value
      return null
    }
    const name = segment.isTail ? 'path' : literal === '' ? 'id' : `${camelCase(singularOf(literal))}Id`
    const times = (used.get(name) ?? 0) + 1
    used.set(name, times)
    literal = ''
    return times === 1 ? name : `${name}${times}`
  })
}

function camelCase(text: string): string {
  const pieces = text.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== '')
  const joined = pieces
    .map((piece, i) => (i === 0 ? piece : piece[0]!.toUpperCase() + piece.slice(1)))
    .join('')
  const safe = /^\d/.test(joined) ? `p${joined}` : joined
  return safe === '' ? 'param' : safe[0]!.toLowerCase() + safe.slice(1)
}
