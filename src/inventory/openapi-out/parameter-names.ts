/** A path segment as far as names need it. */
interface Segment {
  kind: 'literal' | 'param'
  value?: string
}

/** The singular of an English plural, good enough for names: orders → order, categories → category. */
function singular(word: string): string {
  if (/[^aeiou]ies$/i.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:ss|us|is)$/i.test(word)) return word
  if (/(?:ches|shes|xes|sses|zes)$/i.test(word)) return word.slice(0, -2)
  return /s$/i.test(word) ? word.slice(0, -1) : word
}

/**
 * Names of the parameters of a path by segment index, after the literal before each: `/orders/{orderId}/items/{itemId}`.
 * Names are unique within a path; the same path gives the same names.
 */
export function parameterNames(segments: readonly Segment[]): Map<number, string> {
  const names = new Map<number, string>()
  const taken = new Set<string>()
  segments.forEach((segment, i) => {
    if (segment.kind !== 'param') return
    const before = segments[i - 1]
    const word =
      before?.kind === 'literal'
        ? (before.value ?? '').replace(/[^A-Za-z0-9]+(.)?/g, (_, next?: string) => next?.toUpperCase() ?? '')
        : ''
    const base = word === '' ? 'param' : `${singular(word)}Id`
    let name = word === '' ? `param${names.size + 1}` : base
    for (let n = 2; taken.has(name); n++) name = `${base}${n}`
    taken.add(name)
    names.set(i, name)
  })
  return names
}
