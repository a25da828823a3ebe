import { type PlainKey, t } from '../../i18n/translate.ts'

const SENTENCES: Readonly<Record<string, PlainKey>> = {
  OIDC_UNREACHABLE: 'signIn.unreachable',
  OIDC_EXPIRED: 'signIn.expired',
  OIDC_REFUSED: 'signIn.refused',
  OIDC_NO_EMAIL: 'signIn.noEmail',
  OIDC_NO_ROLE: 'signIn.noRole',
  OIDC_NO_ADMIN: 'signIn.noAdmin',
  OIDC_OTHER_IDENTITY: 'signIn.otherIdentity',
}

/** Why the sign-in at the provider failed, for the code in the query; null when it did not. */
export function failureOfProvider(search: string): string | null {
  const code = new URLSearchParams(search).get('signIn')
  if (code === null) return null
  return t(SENTENCES[code] ?? 'signIn.failed')
}
