import type { FilterWarning } from '../../contract/index.ts'
import { Failure } from '../../kit/index.ts'
import type { Problem } from '../../rules/index.ts'
import { compileFilter, type Filter } from '../../threat/index.ts'

/** Faults that one refusal tells. */
const MAX_TOLD = 5
/** Warnings that one answer tells. */
const MAX_WARNINGS = 100

/** Codes of faults that have their own sentence on the wire, by how the compiler words them. */
const NAMED: readonly (readonly [start: string, code: string])[] = [
  ['id field cannot be empty', 'FILTER_ID_EMPTY'],
  ['id takes ', 'FILTER_ID_INVALID'],
  ['filter field cannot be empty', 'FILTER_EMPTY'],
]
const REQUIRED = ' is required'
const BAD_PATTERN = 'invalid regular expression: '
/** Ends of what the compiler says of words and keys that nobody knows. */
const UNKNOWN = [' is not a condition keyword.', ' is not a filter key.']

/** A filter that can be used, and what is odd about it, for its author. */
interface SentFilter {
  readonly filter: Filter
  readonly warnings: FilterWarning[]
}

/**
 * The filter that a client sent.
 *
 * @throws Failure FILTER_NOT_YAML, FILTER_ID_EMPTY, FILTER_ID_INVALID, FILTER_EMPTY, FILTER_KEY_REQUIRED,
 *   FILTER_UNKNOWN_KEY, FILTER_INVALID_REGEX, FILTER_INVALID
 */
export function readSentFilter(content: string): SentFilter {
  const { filter, problems } = compileFilter(content)
  if (filter !== null) return { filter, warnings: problems.slice(0, MAX_WARNINGS).map(warningOf) }
  const errors = problems.filter(({ severity }) => severity === 'error')
  throw refusalOf(errors)
}

function warningOf(problem: Problem): FilterWarning {
  const { line, path } = problem.place
  return { line, path, message: sentenceOf(problem) }
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
  if (named !== undefined) return new Failure(named[1], { line })
  if (first.message.endsWith(REQUIRED))
    return new Failure('FILTER_KEY_REQUIRED', { path: first.message.slice(0, -REQUIRED.length), line })
  const where = `line ${line}, ${path}`
  if (first.message.startsWith(BAD_PATTERN))
    return new Failure('FILTER_INVALID_REGEX', {
      path: where,
      reason: first.message.slice(BAD_PATTERN.length),
    })
  const unknown = UNKNOWN.find((end) => first.message.endsWith(end))
  if (unknown !== undefined)
    return new Failure('FILTER_UNKNOWN_KEY', {
      path: where,
      name: `${first.message.slice(0, -unknown.length)}${hintOf(first)}`,
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
