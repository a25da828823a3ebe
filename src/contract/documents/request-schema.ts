import type { Operation } from '../operation.ts'
import type { RequestField } from '../request-field.ts'
import { nullable } from '../schema.ts'
import type { Components, PlainSchema } from './components.ts'

/** Whether a client must send the key. */
export function isSendRequired(field: RequestField): boolean {
  return field.needed && field.exempt === null
}

/** Whether null is taken. */
export function takesNull(field: RequestField): boolean {
  return field.hasDefault || !field.needed || field.exempt !== null
}

/** What a person must know of a field beside its type. */
export function fieldNotes(field: RequestField): string[] {
  const notes: string[] = []
  if (field.needed && field.exempt === 'always') notes.push('Required by the specification; may be left out.')
  if (field.exempt !== null && field.exempt !== 'always') {
    notes.push(`Not needed when ${field.exempt.whenPresent} is sent.`)
  }
  if (field.alias !== null) notes.push(`Also read from ${field.alias}.`)
  if (field.alsoString) notes.push('Also as decimal text.')
  if (field.hasDefault && field.defaultValue !== null) {
    notes.push(
      `${field.needed ? 'Null means' : 'Absent or null means'} ${JSON.stringify(field.defaultValue)}.`,
    )
  }
  return notes
}

/** JSON Schema of the body a client sends. */
export function requestSchema(operation: Operation, components: Components): PlainSchema {
  const properties: PlainSchema = {}
  const required: string[] = []
  for (const [name, field] of Object.entries(operation.request)) {
    if (isSendRequired(field)) required.push(name)
    properties[name] = fieldSchema(field, components)
  }
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

function fieldSchema(field: RequestField, components: Components): PlainSchema {
  let schema = components.lift(takesNull(field) ? nullable(field.schema) : field.schema)
  if (field.alsoString && schema['type'] !== undefined) {
    schema = { ...schema, type: [schema['type'], 'string'].flat() }
  }
  const own = typeof schema['description'] === 'string' ? [schema['description']] : []
  const description = [field.description, ...own, ...fieldNotes(field)].join(' ')
  const byDefault = field.hasDefault ? { default: field.defaultValue } : {}
  return { ...schema, description, ...byDefault }
}
