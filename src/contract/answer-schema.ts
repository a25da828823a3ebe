import Type, { type TSchema } from 'typebox'
import type { Operation, WideAnswer } from './operation.ts'
import type { RecordFields } from './wide-record.ts'

/** The fields of a wide answer: those of the record, with the operation's own added or in their place. */
export function answerFields(answer: WideAnswer): RecordFields {
  return { ...answer.record.fields, ...answer.extra }
}

/** Schema of the complete body on the wire, or null for operations without content. */
export function answerSchema(operation: Operation): TSchema | null {
  const { answer } = operation
  if (answer.shape === 'none') return null
  if (answer.shape === 'root') return answer.schema
  const properties = Object.fromEntries(
    Object.entries(answerFields(answer)).map(([name, field]) => [name, field.schema]),
  )
  return Type.Object(properties)
}
