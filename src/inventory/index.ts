export * from './collections/index.ts'
export { listDataTypes, loadTypeMatcher, loadTypeRules, saveDataType } from './data-type-records.ts'
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
export { riskKeeper } from './risk-keeper.ts'
export { userPattern } from './user-pattern.ts'
