import { authKind } from '../auth-kind.ts'
import { isAuthorizationHeader, mayCarryCredential } from '../credential-names.ts'
import { isScheme } from '../scheme.ts'

export default authKind({
  id: 'BASIC',
  wireName: 'BASIC',
  summary: 'User name and password in every request (RFC 7617).',
  header: mayCarryCredential,
  seeksToken: true,
  headerDetail(value, name) {
    if (!isScheme(value, 'basic')) return undefined
    if (isAuthorizationHeader(name)) return 'basic'
    return Buffer.from(value.slice('basic '.length), 'base64').includes(':') ? 'basic' : undefined
  },
  cases: [
    { headers: { authorization: 'Basic YW5uOnNlY3JldA==' }, expect: true, because: 'the scheme' },
    {
      headers: { authorization: 'basic YW5uOnNlY3JldA==' },
      expect: true,
      because: 'schemes have no letter case',
    },
    {
      headers: { 'x-upstream-auth': 'Basic YW5uOnNlY3JldA==' },
      expect: true,
      because: 'passed on in another header',
    },
    { headers: { 'x-plan': 'basic plan' }, expect: false, because: 'two words, the second no credentials' },
    { headers: { authorization: 'Basic' }, expect: false, because: 'no credentials' },
  ],
})
