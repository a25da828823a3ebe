import type { CustomConditions, CustomDataType } from './custom-types.ts'
import { type DataTypeDefinition, LOCATIONS, type Severity } from './data-type.ts'
import { type WirePosition, wirePosition } from './sensitivity.ts'

/** A data type with its settings, built in or made by a user. */
export interface DataTypeRecord {
  name: string
  isBuiltIn: boolean
  isActive: boolean
  severity: Severity
  categories: string[]
  isAlwaysSensitive: boolean
  positions: WirePosition[]
  isRedacted: boolean
  operator: 'AND' | 'OR'
  keyConditions: CustomConditions | null
  valueConditions: CustomConditions | null
  description: string | null
  updatedBy: string | null
  updatedAt: number
}

/** A built-in type with the settings it comes with. */
export function builtInRecord(definition: DataTypeDefinition): DataTypeRecord {
  const { sensitiveIn } = definition
  const isListed = sensitiveIn !== 'ALWAYS' && sensitiveIn !== 'NEVER'
  const positions = isListed
    ? LOCATIONS.filter((location) => sensitiveIn.includes(location)).map(wirePosition)
    : []
  return {
    name: definition.name,
    isBuiltIn: true,
    isActive: true,
    severity: definition.severity,
    categories: [definition.category],
    isAlwaysSensitive: sensitiveIn === 'ALWAYS',
    positions: [...new Set(positions)],
    isRedacted: false,
    operator: 'AND',
    keyConditions: null,
    valueConditions: null,
    description: definition.summary,
    updatedBy: null,
    updatedAt: 0,
  }
}

/** A user's type in the form the detectors compile. */
export function customDataType(record: DataTypeRecord): CustomDataType {
  return {
    name: record.name,
    isActive: record.isActive,
    ...(record.keyConditions ? { keyConditions: record.keyConditions } : {}),
    ...(record.valueConditions ? { valueConditions: record.valueConditions } : {}),
    operator: record.operator,
    severity: record.severity,
    sensitiveAlways: record.isAlwaysSensitive,
    sensitiveIn: LOCATIONS.filter((location) => record.positions.includes(wirePosition(location))),
  }
}
