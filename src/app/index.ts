export type { Access, Caller, Session } from '../access/index.ts'
export {
  callerOfAccessToken,
  callerOfKey,
  callerOfRefreshToken,
  changeRole,
  createKey,
  createUser,
  ensureSystemUser,
  findUser,
  isKeyKind,
  listKeys,
  needsFirstUser,
  openAccess,
  refreshCookie,
  refreshCookieName,
  removeKey,
  renewSession,
  setPassword,
  signIn,
  signUp,
  startSession,
  systemUserId,
} from '../access/index.ts'
export { answerCall, isBuilt } from './answer-call.ts'
export { addressUrl, baseUrlOf } from './base-url.ts'
export type { Running } from './boot.ts'
export { boot, openStoreOf } from './boot.ts'
export type { App, Call, Handler, Handlers } from './handler.ts'
export { readStoreTrouble } from './store-trouble.ts'
