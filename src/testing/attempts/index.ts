export type { Attempt, AttemptList, NoAttempt } from './attempt.ts'
export { MAX_ATTEMPTS_PER_STEP } from './attempt.ts'
export { attemptFault, isSameOnWire } from './attempt-fault.ts'
export { buildAttempts } from './build-attempts.ts'
export { draftOf } from './draft-of.ts'
export type {
  AttemptEnvironment,
  CallbackPort,
  CredentialParameter,
  CredentialSource,
  FileSource,
} from './environment.ts'
export { ATTACKER_ROLE } from './environment.ts'
export { narrowSample } from './narrow-operation.ts'
export { outgoingRequest } from './outgoing-request.ts'
export { OWN_FILES } from './own-files.ts'
export type {
  AttachedFile,
  BodyDraft,
  HeaderEntry,
  RecordedBody,
  RequestDraft,
  RequestIdentity,
} from './request-draft.ts'
export { sameRequest } from './same-request.ts'
