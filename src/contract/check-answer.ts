import type { TSchema } from 'typebox'
import { answerSchema } from './answer-schema.ts'
import type { Operation } from './operation.ts'
import { operations } from './registry.ts'
import type { OperationName } from './types.ts'
import { firstMisfit } from './validators.ts'

const schemas = new WeakMap<Operation, TSchema>()

/**
 * The first way in which a body on the wire breaks the contract of its operation, as text for a developer, or null.
 * For tests and conformance runs; the server does not pay for it.
 */
export function checkAnswer(name: OperationName, body: unknown): string | null {
  const operation: Operation = operations[name]
  const schema = schemas.get(operation) ?? answerSchema(operation)
  if (schema === null) return body === undefined || body === '' ? null : `${name}: content where none belongs`
  schemas.set(operation, schema)
  const misfit = firstMisfit(schema, body)
  return misfit === null ? null : `${name}: ${misfit.path.join('.') || 'body'} ${misfit.reason}`
}
