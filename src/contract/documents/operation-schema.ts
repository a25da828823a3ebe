import type { Operation } from '../operation.ts'
import { Components, type PlainSchema } from './components.ts'
import { requestSchema } from './request-schema.ts'

/** JSON Schema of the body of one operation, complete in itself: named records are in `$defs`. */
export function operationSchema(operation: Operation): PlainSchema {
  const components = new Components()
  const schema = requestSchema(operation, components)
  const records = components.schemas()
  const whole = Object.keys(records).length === 0 ? schema : { ...schema, $defs: records }
  return JSON.parse(JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/')) as PlainSchema
}
