import { answerFields } from './answer-schema.ts'
import type { Answer } from './operation.ts'
import { operations } from './registry.ts'
import type { AnswerOf, OperationName, RequestOf, ResponseOf } from './types.ts'

/**
 * Completes what a handler returned to the body on the wire: fields of the wide record that it left out come from
 * the request where the record echoes them, else from their fillers. Root values pass as they are; operations
 * without content give undefined. The request is the one {@link import('./read-request.ts').readRequest} returned.
 */
export function fillAnswer<Name extends OperationName>(
  name: Name,
  answer: AnswerOf<Name>,
  request: RequestOf<Name>,
): ResponseOf<Name> {
  const definition = operations[name].answer as Answer
  if (definition.shape === 'none') return undefined as ResponseOf<Name>
  if (definition.shape === 'root') return answer as ResponseOf<Name>
  const given = answer as Record<string, unknown>
  const asked = request as Record<string, unknown>
  const body: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(answerFields(definition))) {
    body[key] = given[key] ?? echoed(definition.record.echoes, key, asked) ?? field.filler
  }
  return body as ResponseOf<Name>
}

function echoed(echoes: readonly string[], key: string, asked: Record<string, unknown>): unknown {
  return echoes.includes(key) && Object.hasOwn(asked, key) ? asked[key] : undefined
}
