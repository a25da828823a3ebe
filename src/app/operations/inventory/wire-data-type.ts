import type { DataType } from '../../../contract/index.ts'
import type { CustomConditions, DataTypeRecord } from '../../../data-types/index.ts'

type WireConditions = NonNullable<DataType['keyConditions']>

function wireConditions(conditions: CustomConditions | null): WireConditions | null {
  if (conditions === null) return null
  return {
    operator: conditions.operator,
    predicates: conditions.predicates.map((predicate) => ({
      type: predicate.operator as WireConditions['predicates'][number]['type'],
      value: typeof predicate.value === 'string' ? predicate.value : '',
    })),
  }
}

/** Conditions as the detectors take them. */
export function ownConditions(conditions: WireConditions | null): CustomConditions | null {
  if (conditions === null || conditions.predicates.length === 0) return null
  return {
    operator: conditions.operator,
    predicates: conditions.predicates.map(({ type, value }) => ({ operator: type, value })),
  }
}

export function wireDataType(record: DataTypeRecord): DataType {
  return {
    name: record.name,
    builtIn: record.isBuiltIn,
    active: record.isActive,
    severity: record.severity,
    categories: record.categories,
    sensitiveAlways: record.isAlwaysSensitive,
    sensitivePosition: record.positions,
    redacted: record.isRedacted,
    operator: record.operator,
    keyConditions: wireConditions(record.keyConditions),
    valueConditions: wireConditions(record.valueConditions),
    description: record.description,
    updatedBy: record.updatedBy,
    timestamp: record.updatedAt,
  }
}
