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
