import { Failure } from '../../../kit/index.ts'
import type { Problem } from '../../../rules/index.ts'
import { compileFilter, type Filter } from '../../../threat/index.ts'

/** Faults that one refusal tells. */
const MAX_TOLD = 5

/** Codes of faults that have a sentence of their own on the wire, by how the compiler words them. */
const NAMED: readonly (readonly [start: string, code: string])[] = [
  ['id field cannot be empty', 'FILTER_ID_EMPTY'],
  ['id takes ', 'FILTER_ID_INVALID'],
  ['filter field cannot be empty', 'FILTER_EMPTY'],
]
const REQUIRED = ' is required'
const BAD_PATTERN = 'invalid regular expression: '
const UNKNOWN_WORD = ' is no word of conditions.'

/**
 * The filter that a client sent.
 *
 * @throws Failure FILTER_NOT_YAML, FILTER_ID_EMPTY, FILTER_ID_INVALID, FILTER_EMPTY, FILTER_KEY_REQUIRED,
 *   FILTER_UNKNOWN_KEY, FILTER_INVALID_REGEX, FILTER_INVALID
 */
export function readSentFilter(content: string): Filter {
  const { filter, problems } = compileFilter(content)
  if (filter !== null) return filter
  const errors = problems.filter(({ severity }) => severity === 'error')
  throw refusalOf(errors)
}

function refusalOf(errors: readonly Problem[]): Failure {
  const first = errors[0]!
  const { line, column, path } = first.place
  if (
    path === '' &&
    !NAMED.some(([start]) => first.message.startsWith(start)) &&
    !first.message.endsWith(REQUIRED)
  )
    return new Failure('FILTER_NOT_YAML', { line, column, reason: sentenceOf(first) })
  const named = NAMED.find(([start]) => first.message.startsWith(start))
  if (named !== undefined) return new Failure(named[1], {})
  if (first.message.endsWith(REQUIRED))
    return new Failure('FILTER_KEY_REQUIRED', { path: first.message.slice(0, -REQUIRED.length) })
  const where = `line ${line}, ${path}`
  if (first.message.startsWith(BAD_PATTERN))
    return new Failure('FILTER_INVALID_REGEX', {
      path: where,
      reason: first.message.slice(BAD_PATTERN.length),
    })
  if (first.message.endsWith(UNKNOWN_WORD))
    return new Failure('FILTER_UNKNOWN_KEY', {
      path: where,
      name: `${first.message.slice(0, -UNKNOWN_WORD.length)}${hintOf(first)}`,
    })
  return new Failure('FILTER_INVALID', { path: where, reason: told(errors) })
}

/** The first fault without its place, which the sentence begins with, then the others with theirs. */
function told(errors: readonly Problem[]): string {
  const [first, ...others] = errors.slice(0, MAX_TOLD)
  const more = errors.length > MAX_TOLD ? [`and ${errors.length - MAX_TOLD} more`] : []
  return [
    sentenceOf(first!),
    ...others.map((one) => `line ${one.place.line}, ${one.place.path}: ${sentenceOf(one)}`),
    ...more,
  ].join('; ')
}

function sentenceOf(problem: Problem): string {
  return problem.message + hintOf(problem)
}

function hintOf({ nearest }: Problem): string {
  return nearest === null ? '' : ` (${nearest}?)`
}
