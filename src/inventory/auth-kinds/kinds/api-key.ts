import { authKind } from '../auth-kind.ts'
import { squeezed } from '../credential-names.ts'

const OTHER_NAMES = new Set([
  'ocpapimsubscriptionkey',
  'subscriptionkey',
  'xfunctionskey',
  'xrapidapikey',
  'xmashapekey',
  'appkey',
  'xappkey',
])

function isApiKeyName(name: string): boolean {
  const plain = squeezed(name)
  return plain.includes('apikey') || plain.includes('passkey') || OTHER_NAMES.has(plain)
}

export default authKind({
  id: 'API_KEY',
  wireName: 'API_KEY',
  summary: 'A key of the calling program in a header, cookie, query or body parameter.',
  header: isApiKeyName,
  headerDetail: (value) => (value.trim() === '' ? undefined : 'header'),
  cookie: isApiKeyName,
  cookieDetail: (value) => (value === '' ? undefined : 'cookie'),
  queryKey: isApiKeyName,
  bodyKey: isApiKeyName,
  cases: [
    { headers: { 'x-api-key': '3a9f0c' }, expect: true, because: 'the usual header' },
    { headers: { acme_apikey_v2: '3a9f0c' }, expect: true, because: 'the name contains it' },
    { query: { api_key: '3a9f0c' }, expect: true, because: 'in the address' },
    { body: { apiKey: '3a9f0c' }, expect: true, because: 'in the body' },
    { query: { key: 'shoes' }, expect: false, because: 'a plain key may be anything' },
    { headers: { 'x-api-version': '3' }, expect: false, because: 'a version' },
  ],
})
