import { authKind } from '../auth-kind.ts'
import { isAuthorizationHeader, isOrdinaryCookie, mayCarryCredential } from '../credential-names.ts'
import { hasScheme, isEmptyAuthorization, isScheme } from '../scheme.ts'

/** `bearer` and eight characters of token: shorter ones in other headers are words. */
const MIN_VALUE_ELSEWHERE = 15
/** Blanks are written as `%20` or `+` in cookies, or the value is quoted. */
const COOKIE_VALUE = /^"?bearer(?: |%20|\+)[^ ]+$/i

export default authKind({
  id: 'BEARER',
  wireName: 'BEARER',
  summary:
    'A bearer token (RFC 6750). Listed also when the token is a JWT: one names the scheme, the other the token.',
  header: mayCarryCredential,
  seeksToken: true,
  headerDetail(value, name) {
    // There the first word is the scheme, whatever follows; elsewhere it may be a word of a sentence.
    if (isAuthorizationHeader(name))
      return hasScheme(value, 'bearer') && !isEmptyAuthorization(value) ? 'bearer' : undefined
    return isScheme(value, 'bearer') && value.length >= MIN_VALUE_ELSEWHERE ? 'bearer' : undefined
  },
  cookie: (name) => !isOrdinaryCookie(name),
  cookieDetail: (value) => (COOKIE_VALUE.test(value) ? 'bearer' : undefined),
  cases: [
    { headers: { authorization: 'Bearer 3a9f0c' }, expect: true, because: 'an opaque token' },
    {
      headers: { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl' },
      expect: true,
      because: 'a JWT is borne all the same',
    },
    {
      headers: { authorization: 'Bearer {{ token }}' },
      expect: true,
      because: 'a placeholder with blanks is still borne',
    },
    { headers: { cookie: 'Authorization=Bearer%203a9f0c77' }, expect: true, because: 'in a cookie' },
    { headers: { authorization: 'Bearer' }, expect: false, because: 'no token' },
    {
      headers: { authorization: 'Bearer undefined' },
      expect: false,
      because: 'a client without a token sends the text of its empty variable',
    },
    { headers: { 'x-note': 'bearer of bad news' }, expect: false, because: 'more than two words' },
  ],
})
