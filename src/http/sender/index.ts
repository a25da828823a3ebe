export { delay } from './delay.ts'
export type {
  AuditEntry,
  ClientCertificate,
  OutgoingRequest,
  SendOptions,
  SendPurpose,
  SentResponse,
} from './outgoing.ts'
export type { AnswerLimits } from './pending-answer.ts'
export type { RequestSender, SenderOptions } from './sender.ts'
export { Sender } from './sender.ts'
export { TargetScope } from './target-scope.ts'
