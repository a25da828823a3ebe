export * from './collections/index.ts'
export type { CustomConditions, DataTypeRecord, TypeMatcher } from './data-types/index.ts'
export {
  DEFAULT_RULES,
  listDataTypes,
  loadTypeMatcher,
  loadTypeRules,
  saveDataType,
} from './data-types/index.ts'
export * from './endpoints/index.ts'
export type { FindingsHook, FoundMessage } from './engine/findings.ts'
export { maskUrl, maskUrlsIn, sensitiveValues } from './engine/mask-types.ts'
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
export type { EngineEvents } from './engine/remote.ts'
export { openInventory } from './engine/remote.ts'
export { serveEngine } from './engine/serve-engine.ts'
export * from './openapi-export/index.ts'
export { KEY, routeOfExample } from './path-templates/index.ts'
export { RiskKeeper } from './risk-keeper.ts'
export { userPattern } from './user-pattern.ts'
