import { authKind } from '../auth-kind.ts'

/** Sets of parameters that sign an address. */
const SCHEMES: readonly (readonly [detail: string, ...keys: string[]])[] = [
  ['aws', 'x-amz-signature', 'x-amz-credential'],
  ['google', 'x-goog-signature', 'x-goog-credential'],
  ['azure-sas', 'sig', 'se', 'sv'],
  ['cloudfront', 'signature', 'key-pair-id'],
  ['expiring', 'signature', 'expires'],
  ['hmac', 'hmac', 'timestamp'],
  ['oauth1', 'oauth_signature', 'oauth_consumer_key'],
]

export default authKind({
  id: 'SIGNED_URL',
  wireName: 'CUSTOM',
  summary: 'An address that carries its own signature (S3, Google storage, Azure SAS, CloudFront).',
  queryKey: (name) => name.endsWith('signature') || name === 'sig' || name === 'hmac',
  queryDetail(query) {
    const present = new Set(Object.keys(query).map((key) => key.toLowerCase()))
    return SCHEMES.find(([, ...wanted]) => wanted.every((key) => present.has(key)))?.[0]
  },
  cases: [
    { query: { 'X-Amz-Signature': '9f86', 'X-Amz-Credential': 'A/20230309' }, expect: true, because: 'S3' },
    {
      query: { sv: '2022-11-02', se: '2023', sig: 'abc' },
      expect: true,
      because: 'Azure shared access signature',
    },
    {
      query: { oauth_consumer_key: 'a', oauth_token: 'b', oauth_signature: 'c' },
      expect: true,
      because: 'OAuth 1.0 in the address (RFC 5849 section 3.5.3)',
    },
    { query: { signature: 'abc' }, expect: false, because: 'a signature alone may be a field of a form' },
  ],
})
