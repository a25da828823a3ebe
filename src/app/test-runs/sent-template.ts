import { Failure } from '../../kit/index.ts'
import type { Problem } from '../../rules/index.ts'
import { parseTemplate, type Template } from '../../testing/index.ts'

/** Faults that one refusal tells. */
const MAX_TOLD = 5

/** A problem of a test, on the wire. */
export interface WireProblem {
  file: string | null
  severity: 'error' | 'warning'
  message: string
  line: number
  column: number
  path: string
  nearest: string | null
}

/** A problem of a test, on the wire; `file` null for a test that was sent. */
export function wireProblem(
  { severity, message, place, nearest }: Problem,
  file: string | null,
): WireProblem {
  return { file, severity, message, line: place.line, column: place.column, path: place.path, nearest }
}

/** The test that a client sent, with its warnings. @throws Failure INVALID_TEST_TEMPLATE with the first faults */
export function readSentTemplate(content: string): { template: Template; problems: readonly Problem[] } {
  const { template, problems } = parseTemplate(content, 'The test')
  if (template !== null) return { template, problems }
  const errors = problems.filter(({ severity }) => severity === 'error')
  const told = errors.slice(0, MAX_TOLD).map(sentenceOf)
  const more = errors.length > MAX_TOLD ? [`and ${errors.length - MAX_TOLD} more`] : []
  throw new Failure('INVALID_TEST_TEMPLATE', { problem: [...told, ...more].join('; ') })
}

/** `line 14, validate.response_code: There is no operator "gtr" (gte?)` */
function sentenceOf({ message, place, nearest }: Problem): string {
  const where = place.path === '' ? `line ${place.line}` : `line ${place.line}, ${place.path}`
  return `${where}: ${message}${nearest === null ? '' : ` (${nearest}?)`}`
}
