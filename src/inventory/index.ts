export * from './collections/index.ts'
export type { CustomConditions, DataTypeRecord, TypeMatcher } from './data-types/index.ts'
export {
  DEFAULT_RULES,
  detectDataTypes,
  listDataTypes,
  loadTypeMatcher,
  loadTypeRules,
  saveDataType,
} from './data-types/index.ts'
export * from './endpoints/index.ts'
export type { FindingsHook, FoundMessage } from './engine/intake/index.ts'
export { maskUrl, maskUrlsIn, sensitiveValues } from './engine/learn/index.ts'
export type {
  DocumentedOperation,
  EndpointMove,
  EngineFigures,
  ExchangeOutcome,
  IngestOutcome,
  InventoryPort,
  ObserveOutcome,
  Placement,
  TemplateDecision,
  TemplateEvidence,
} from './engine/port.ts'
export { type EngineEvents, openInventory } from './engine/thread/index.ts'
export * from './openapi-export/index.ts'
export { KEY, routeOfExample } from './path-templates/index.ts'
export { riskKeeper } from './risk-keeper.ts'
export { userPattern } from './user-pattern.ts'
