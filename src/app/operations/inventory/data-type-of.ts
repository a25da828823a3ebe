import type { RequestOf } from '../../../contract/index.ts'
import type { DataTypeSettings } from '../../../inventory/index.ts'
import { ownConditions } from './wire-data-type.ts'

/** A data type as a client describes it. */
export function dataTypeOf(input: RequestOf<'saveCustomDataType'>): DataTypeSettings {
  return {
    name: input.name,
    isActive: input.active,
    severity: input.severity,
    categories: input.categories,
    isAlwaysSensitive: input.sensitiveAlways,
    positions: input.sensitivePosition,
    isRedacted: input.redacted,
    operator: input.operator,
    keyConditions: ownConditions(input.keyConditions),
    valueConditions: ownConditions(input.valueConditions),
    description: input.description,
  }
}
