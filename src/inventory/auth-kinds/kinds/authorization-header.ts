import { authKind } from '../auth-kind.ts'
import { isAuthorizationHeader } from '../credential-names.ts'
import { hasScheme, isEmptyAuthorization, isScheme, schemeOf } from '../scheme.ts'

export default authKind({
  id: 'AUTHORIZATION_HEADER',
  wireName: 'AUTHORIZATION_HEADER',
  summary:
    'Any other content of the authorization header: digest, negotiate, NTLM, DPoP, HMAC schemes, a bare token.',
  header: isAuthorizationHeader,
  headerDetail(value) {
    if (isScheme(value, 'basic') || hasScheme(value, 'bearer')) return undefined
    if (isEmptyAuthorization(value)) return undefined
    const scheme = schemeOf(value.trim())
    return scheme.startsWith('aws4-') ? undefined : scheme
  },
  cases: [
    {
      headers: { authorization: 'Digest username="ann", realm="shop", nonce="x"' },
      expect: true,
      because: 'digest',
    },
    { headers: { authorization: '3a9f0c77' }, expect: true, because: 'a token without scheme' },
    {
      headers: { authorization: '{{session.token}}' },
      expect: true,
      because: 'a variable that was not filled in is sent all the same',
    },
    { headers: { authorization: 'DPoP Kz~8mXK1EalYznwH' }, expect: true, because: 'proof of possession' },
    { headers: { authorization: 'Bearer 3a9f0c' }, expect: false, because: 'has its own name' },
    { headers: { authorization: '' }, expect: false, because: 'empty' },
    { headers: { authorization: 'Token null' }, expect: false, because: 'a variable without a value' },
    { headers: { authorization: 'Bearer ' }, expect: false, because: 'only a scheme' },
  ],
})
