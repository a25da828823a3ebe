export type { AuthCombination } from './actual-auth-type.ts'
export { actualAuthType } from './actual-auth-type.ts'
export type { AuthView } from './auth-kind.ts'
export { AUTH_KIND_NAMES } from './auth-kind.ts'
export {
  authEvidenceOf,
  authKindsOf,
  carriesKey,
  headerInterest,
  mayBeToken,
  mayCarryCredential,
  mayNameCredential,
} from './auth-kinds-of.ts'
export { AUTH_KINDS } from './registry.generated.ts'
export { isFormToken, isSessionCookie } from './session-cookie.ts'
