export { isNamedCredential } from './credential-key.ts'
export type {
  CustomConditions,
  CustomDataType,
  CustomDetector,
  CustomOperator,
  CustomPredicate,
  CustomTypeError,
} from './custom-types.ts'
export { compileCustomTypes } from './custom-types.ts'
export type { Category, DataTypeDefinition, Location, Severity } from './data-type.ts'
export { LOCATIONS } from './data-type.ts'
export type { DataTypeRecord } from './data-type-record.ts'
export { builtInRecord, customDataType } from './data-type-record.ts'
export { detectDataTypes } from './detect.ts'
export type { NestedBudget, NestedFinding } from './detect-nested.ts'
export { detectNested, NESTED_BUDGET } from './detect-nested.ts'
export type { DetectedType, ValueContext } from './detector.ts'
export { joseHeaderOf } from './jose-header.ts'
export { DATA_TYPES } from './registry.generated.ts'
export type { WirePosition } from './sensitivity.ts'
export { isSensitive, severityOf, wirePosition } from './sensitivity.ts'
export type { SubType, SuperType } from './subtypes.ts'
export { basicSubtype, superType } from './subtypes.ts'
export type { TypeMatcher } from './type-matcher.ts'
export { typeMatcherOf } from './type-matcher.ts'
export type { TypeRules } from './type-rules.ts'
export { DEFAULT_RULES, typeRulesOf } from './type-rules.ts'
