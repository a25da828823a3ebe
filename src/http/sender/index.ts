export { Connector } from './connector.ts'
export { delay } from './delay.ts'
export type {
  AuditEntry,
  ClientCertificate,
  OutgoingRequest,
  SendOptions,
  SendPurpose,
  SentResponse,
} from './outgoing.ts'
export type { RequestSender } from './sender.ts'
export { Sender } from './sender.ts'
export { TargetScope } from './target-scope.ts'
