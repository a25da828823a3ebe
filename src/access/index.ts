export type { Access } from './access.ts'
export { openAccess } from './access.ts'
export type { Caller } from './caller.ts'
export { inviteUsers, listInvitations, withdrawInvitation } from './invitations.ts'
export type { KeyRecord, NewKey } from './keys.ts'
export {
  burpKey,
  callerOfKey,
  createKey,
  ensureKey,
  hasAnyKey,
  listKeys,
  removeKey,
} from './keys.ts'
export { deviceCookie, deviceCookieName } from './known-device.ts'
export { completeReset, requestReset } from './password-resets.ts'
export {
  beginSecondFactor,
  checkSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  removeSecondFactor,
} from './second-factor.ts'
export { clearedRefreshCookie, refreshCookie, refreshCookieName } from './session-cookie.ts'
export type { Session } from './sessions.ts'
export {
  callerOfAccessToken,
  callerOfRefreshToken,
  changePassword,
  endSession,
  hasPassword,
  renewSession,
  requireCurrentPassword,
  signIn,
  startSession,
} from './sessions.ts'
export { isLoopbackHost, setupCode } from './setup-code.ts'
export { createUser, signUp } from './sign-up.ts'
export {
  clearedSignInCookie,
  SingleSignOn,
  signInCookieName,
} from './single-sign-on/single-sign-on.ts'
export { ensureSystemUser, systemUserId } from './system-user.ts'
export type { User } from './users.ts'
export {
  changeRole,
  findUser,
  grantCollection,
  listUsers,
  needsFirstUser,
  readUser,
  removeUser,
  setPassword,
  setUserCollections,
} from './users.ts'
