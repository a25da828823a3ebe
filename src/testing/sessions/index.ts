export { beginSession, loginHosts, mechanismKind, storedSession } from './begin-session.ts'
export { IdentifiedSend } from './identified-send.ts'
export type { LoginSend } from './run-login.ts'
export type {
  FlowPlayer,
  LoginFailure,
  OneTimeCodes,
  PlayedFlow,
  SampleFinder,
  SampleOrigin,
  Session,
  SessionState,
} from './session.ts'
export { isLoginFailure } from './session.ts'
export type { SessionKeeper, SessionsDeps } from './sessions.ts'
export { Sessions } from './sessions.ts'
