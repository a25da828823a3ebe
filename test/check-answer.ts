import { Check, Errors } from 'typebox/value'
import { answerSchema } from '../src/contract/answer-schema.ts'
import type { Operation } from '../src/contract/operation.ts'
import { operations } from '../src/contract/registry.ts'
import type { OperationName } from '../src/contract/types.ts'

/**
 * The first way in which a body on the wire breaks the contract of its operation, as text for a developer, or null.
 * For tests and conformance runs, which check few answers of each schema: none is compiled.
 */
export function checkAnswer(name: OperationName, body: unknown): string | null {
  const operation: Operation = operations[name]
  const schema = answerSchema(operation)
  if (schema === null) return body === undefined || body === '' ? null : `${name}: content where none belongs`
  if (Check(schema, body)) return null
  const [misfit] = Errors(schema, body)
  const place = misfit?.instancePath.split('/').slice(1).join('.')
  return `${name}: ${place || 'body'} ${misfit?.message ?? 'does not fit'}`
}
