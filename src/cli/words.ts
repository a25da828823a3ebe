import { Failure } from '../kit/index.ts'

/**
 * The words of a command line, exactly as many as named.
 *
 * @throws Failure BAD_COMMAND
 */
export function takeWords<const Names extends readonly string[]>(
  words: readonly string[],
  names: Names,
): { readonly [Index in keyof Names]: string } {
  const missing = names[words.length]
  if (missing !== undefined) throw new Failure('BAD_COMMAND', { reason: `<${missing}> is missing` })
  const extra = words[names.length]
  if (extra !== undefined) throw new Failure('BAD_COMMAND', { reason: `"${extra}" is one word too many` })
  return words as { readonly [Index in keyof Names]: string }
}

/** `1 endpoint`, `2 endpoints`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
