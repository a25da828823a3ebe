export type { Attempt, AttemptList, NoAttempt } from './attempt.ts'
export { MAX_ATTEMPTS_PER_STEP } from './attempt.ts'
export type {
  AttemptEnvironment,
  CallbackPort,
  CredentialParameter,
  CredentialSource,
  FileSource,
} from './environment.ts'
export { ATTACKER_ROLE } from './environment.ts'
export type { AttachedFile, BodyDraft, HeaderEntry, RecordedBody, RequestDraft } from './request-draft.ts'
