const SENTENCES: Readonly<Record<string, string>> = {
  OIDC_UNREACHABLE:
    'The sign-in provider does not answer. Try again in a minute; the server log has the cause.',
  OIDC_EXPIRED:
    'This sign-in took too long or was started in another browser. Start again and complete it within ten minutes.',
  OIDC_REFUSED: 'The sign-in provider refused the sign-in. Try again; the server log has the cause.',
  OIDC_NO_EMAIL:
    'The sign-in provider sent no verified e-mail address. Verify your address there, then sign in again.',
  OIDC_NO_ROLE:
    'Your account gives no access to this installation. Ask an administrator for an invitation or a group with access.',
  OIDC_NO_ADMIN:
    'The first account must be an administrator. Sign in with an account whose group has the role ADMIN.',
  OIDC_OTHER_IDENTITY:
    'The account with your e-mail address belongs to another identity. Ask an administrator to remove it, then sign in again.',
}

/** Why the sign-in at the provider failed, for the code in the query; null when it did not. */
export function failureOfProvider(search: string): string | null {
  const code = new URLSearchParams(search).get('signIn')
  if (code === null) return null
  return SENTENCES[code] ?? 'The sign-in failed. Try again; the server log has the cause.'
}
