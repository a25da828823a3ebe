export { attemptFault, isSameOnWire } from './attempt-fault.ts'
export { buildAttempts } from './build-attempts.ts'
export { draftOf } from './draft-of.ts'
export type {
  AttemptEnvironment,
  CallbackPort,
  CredentialParameter,
  CredentialSource,
  OwnName,
  ParentMix,
} from './environment.ts'
export { ATTACKER_ROLE } from './environment.ts'
export { narrowSample } from './narrow-operation.ts'
export { outgoingRequest } from './outgoing-request.ts'
export { OWN_FILES } from './own-files.ts'
export type { HeaderEntry, RequestDraft } from './request-draft.ts'
export { sameRequest } from './same-request.ts'
