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
export { collectionForHost, createManualCollection } from './collections/index.ts'
