import { authKind } from '../auth-kind.ts'
import { isNoCredential, isSent, squeezed } from '../credential-names.ts'

const OTHER_NAMES = new Set([
  'ocpapimsubscriptionkey',
  'subscriptionkey',
  'xfunctionskey',
  'xrapidapikey',
  'xmashapekey',
  'appkey',
  'xappkey',
])

/** Names that are keys in headers; in a body they may be settings of what is made. */
const HEADER_NAMES = new Set([
  'accesskey',
  'xaccesskey',
  'secretkey',
  'xsecretkey',
  'apisecret',
  'xapisecret',
  'xclientsecret',
  'xmasterkey',
  'xappwritekey',
])
/** Keys of Google, which stand under a name that may be anything. */
const GOOGLE_KEY = /^AIza[\w-]{35}$/

function isApiKeyName(name: string): boolean {
  const plain = squeezed(name)
  return plain.includes('apikey') || plain.includes('passkey') || OTHER_NAMES.has(plain)
}

export default authKind({
  id: 'API_KEY',
  wireName: 'API_KEY',
  summary: 'A key of the calling program in a header, cookie, query or body parameter.',
  header: (name) => isApiKeyName(name) || HEADER_NAMES.has(squeezed(name)),
  headerDetail: (value) => (isNoCredential(value) ? undefined : 'header'),
  cookie: isApiKeyName,
  cookieDetail: (value) => (isNoCredential(value) ? undefined : 'cookie'),
  queryKey: (name) => name === 'key' || isApiKeyName(name),
  queryDetail(query) {
    for (const name in query) {
      const value = query[name]
      const isKey =
        name.toLowerCase() === 'key'
          ? typeof value === 'string' && GOOGLE_KEY.test(value)
          : isApiKeyName(name.toLowerCase()) && isSent(value)
      if (isKey) return 'query'
    }
    return undefined
  },
  bodyKey: isApiKeyName,
  cases: [
    { headers: { 'x-api-key': '3a9f0c' }, expect: true, because: 'the usual header' },
    { headers: { acme_apikey_v2: '3a9f0c' }, expect: true, because: 'the name contains it' },
    { query: { api_key: '3a9f0c' }, expect: true, because: 'in the address' },
    { body: { apiKey: '3a9f0c' }, expect: true, because: 'in the body' },
    {
      query: { key: `AIza${'SyD-3a9f0c77b1'.repeat(3).slice(0, 35)}` },
      expect: true,
      because: 'a key of Google',
    },
    { headers: { 'x-access-key': '3a9f0c77' }, expect: true, because: 'an access key' },
    { query: { key: 'shoes' }, expect: false, because: 'a plain key may be anything' },
    { query: { api_key: '' }, expect: false, because: 'nothing was sent' },
    { body: { apiKey: null }, expect: false, because: 'nothing was sent' },
    { body: { secretKey: '3a9f0c77' }, expect: false, because: 'a setting of what is made' },
    { headers: { 'x-api-version': '3' }, expect: false, because: 'a version' },
  ],
})
