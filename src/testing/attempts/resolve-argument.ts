import { Failure } from '../../kit/index.ts'
import type { Variables } from '../../rules/index.ts'
import { isRecords, resolveText } from '../../rules/index.ts'
import type { Literal } from '../template/template.ts'
import { MAX_ATTEMPTS_PER_STEP } from './attempt.ts'

/** The values that an argument stands for; each is computed when it is read. */
export interface ArgumentList {
  readonly length: number
  at(index: number): Literal
}

/** Names of the engine that may stand bare as a key. */
const BARE_NAMES = new Set(['auth_headers'])

/**
 * Resolves a key or value (language section 7.1). Text gives what its placeholders stand for; a list or map as many
 * copies as its parts together, the leftmost changing slowest. Elements of a list become text.
 *
 * @param captures names that are replaced where they stand alone without `${}`
 * @throws Failure TEMPLATE_TOO_MANY_COMBINATIONS
 */
export function resolveArgument(
  argument: Literal,
  variables: Variables,
  captures: ReadonlySet<string>,
): ArgumentList {
  if (typeof argument === 'string') return resolvedText(argument, variables, captures)
  if (typeof argument !== 'object' || argument === null) return { length: 1, at: () => argument }
  const isList = Array.isArray(argument)
  const keys = Object.keys(argument)
  const parts = Object.values(argument as Record<string, Literal>).map((part) =>
    resolveArgument(part, variables, captures),
  )
  const length = parts.reduce((product, part) => product * part.length, 1)
  if (length > MAX_ATTEMPTS_PER_STEP) throw tooMany(length)
  const at = (index: number): Literal => {
    const values = pick(parts, index)
    if (isList) return values.map((value) => (typeof value === 'object' ? value : String(value)))
    const map = Object.create(null) as Record<string, Literal>
    for (const [i, key] of keys.entries()) map[key] = values[i]!
    return map
  }
  return { length, at }
}

/** The combination of a number, the last part changing fastest. */
function pick(parts: readonly ArgumentList[], index: number): Literal[] {
  const values: Literal[] = []
  let rest = index
  for (const part of parts.toReversed()) {
    values.unshift(part.at(rest % part.length))
    rest = Math.floor(rest / part.length)
  }
  return values
}

function resolvedText(text: string, variables: Variables, captures: ReadonlySet<string>): ArgumentList {
  const named = variables.get(text)
  const isCaptured = captures.has(text) || BARE_NAMES.has(text)
  // A literal that happens to equal the name of a variable is meant as it stands.
  if (named !== undefined && (!isCaptured || isRecords(named))) return { length: 1, at: () => text }
  return resolveText(text, variables, MAX_ATTEMPTS_PER_STEP)
}

/** The failure for more values than a step may have attempts. */
export function tooMany(count: number): Failure {
  return new Failure('TEMPLATE_TOO_MANY_COMBINATIONS', { count, limit: MAX_ATTEMPTS_PER_STEP })
}
