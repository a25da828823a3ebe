/** What an answer says of the caller's credentials: success, refused by status, or neither. */
export type CallOutcome = '2xx' | '401' | '403' | 'other'

/** Parts of a path that name the place where people sign in. */
const SIGN_IN =
  /(?:^|[/._-])(?:log-?_?(?:in|on)|sign-?_?(?:in|on)|sso|saml2?|oauth2?|openid-connect|oidc|cas|auth|authorize|authenticate|authentication|adfs|session(?:s)?\/new)(?:$|[/._-])/i
const MAX_LOCATION = 2000

/**
 * Outcome of a call for the question whether a credential is enforced. A redirect to where people sign in lets
 * nobody in, and is no proof that a credential was asked for either; any other redirect is an answer.
 *
 * @param location as the answer names it, '' when it does not; looked at in redirects alone
 */
export function outcomeOf(status: number, location: string): CallOutcome {
  if (status === 401 || status === 403) return status === 401 ? '401' : '403'
  if (status >= 300 && status < 400 && status !== 304 && isSignIn(location)) return 'other'
  return (status >= 200 && status < 400) || status === 101 ? '2xx' : 'other'
}

function isSignIn(location: string): boolean {
  const path = location
    .slice(0, MAX_LOCATION)
    .replace(/^(?:[a-z][a-z0-9+.-]{0,15}:)?\/\/[^/?#]*/i, '')
    .split(/[?#]/, 1)[0]!
  return SIGN_IN.test(path)
}
