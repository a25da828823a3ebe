import { pathParts } from '../../components/endpoint/path-parts.ts'

/** A template with its only parameter replaced by a value that was seen; the template itself when it has several. */
export function firstLiteral(template: string, examples: readonly string[]): string {
  const { origin, parts } = pathParts(template, true)
  const example = examples[0]
  if (example === undefined || parts.filter((part) => part.kind === 'parameter').length !== 1) return template
  return origin + parts.map((part) => (part.kind === 'text' ? part.text : example)).join('')
}
