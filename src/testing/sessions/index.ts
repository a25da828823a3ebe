export { beginSession, loginHosts, storedSession } from './begin-session.ts'
export { IdentifiedSend } from './identified-send.ts'
export { readLoginSteps } from './login-step.ts'
export {
  type FlowPlayer,
  isLoginFailure,
  type LoginFailure,
  type OneTimeCodes,
  type PlayedFlow,
  type SampleOrigin,
  type SessionState,
} from './session.ts'
export { Sessions } from './sessions.ts'
