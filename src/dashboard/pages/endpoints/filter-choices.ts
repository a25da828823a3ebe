export { accessTypes, apiTypes, httpMethods as methods } from '../../../contract/browser.ts'

/** Built-in kinds of authentication; those of the operator's own appear in the rows and can be typed in the address. */
export const authTypes = [
  'UNAUTHENTICATED',
  'BASIC',
  'AUTHORIZATION_HEADER',
  'JWT',
  'API_TOKEN',
  'BEARER',
  'API_KEY',
  'MTLS',
  'SESSION_TOKEN',
  'CUSTOM',
] as const
