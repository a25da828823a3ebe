import { joseHeaderOf } from '../../data-types/index.ts'

/** The algorithm of the JWT that is the value or its second word, after a scheme; undefined when there is none. */
export function algorithmOfToken(value: string): string | undefined {
  const start = value.indexOf(' ') + 1
  if (value.charCodeAt(start) !== 101 || value.charCodeAt(start + 1) !== 121) return undefined
  const header = joseHeaderOf(value, start)
  const hasThreeParts = value.indexOf('.', value.indexOf('.', start) + 1) > 0
  return header !== undefined && hasThreeParts ? header.alg : undefined
}
