import { authKind } from '../auth-kind.ts'
import { isNoCredential, squeezed } from '../credential-names.ts'

const NAMES = new Set([
  'token',
  'xtoken',
  'authtoken',
  'xauthtoken',
  'accesstoken',
  'xaccesstoken',
  'apitoken',
  'xapitoken',
  'privatetoken',
  'jobtoken',
  'xvaulttoken',
  'xauth',
  'xauthkey',
  'usertoken',
  'xusertoken',
  'xsecuritytoken',
  'idtoken',
  'xidtoken',
  'servicetoken',
  'cfaccessclientsecret',
  'cfaccesstoken',
  'xgoogiapjwtassertion',
  'xgitlabtoken',
  'xfigmatoken',
])
const ENDING = /(?:api|auth|access|user|service|identity)token$/

function isTokenName(name: string): boolean {
  const plain = squeezed(name)
  return NAMES.has(plain) || ENDING.test(plain)
}

const QUERY_NAMES = new Set(['token', 'authtoken', 'accesstoken', 'apitoken', 'idtoken', 'jwt', 'usertoken'])
const BODY_NAMES = new Set(['authtoken', 'accesstoken', 'apitoken'])

export default authKind({
  id: 'API_TOKEN',
  wireName: 'API_TOKEN',
  summary:
    'A token in a header, query or body parameter that is named for it, outside the authorization header.',
  header: isTokenName,
  headerDetail: (value) => (isNoCredential(value) ? undefined : 'header'),
  queryKey: (name) => QUERY_NAMES.has(squeezed(name)),
  bodyKey: (name) => BODY_NAMES.has(squeezed(name)),
  cases: [
    { headers: { 'x-auth-token': '3a9f0c' }, expect: true, because: 'the usual header' },
    { headers: { 'private-token': '3a9f0c' }, expect: true, because: 'GitLab' },
    { headers: { 'x-shopify-access-token': '3a9f0c' }, expect: true, because: 'ends so' },
    { query: { access_token: '3a9f0c' }, expect: true, because: 'RFC 6750 section 2.3' },
    {
      headers: { 'x-csrf-token': '3a9f0c' },
      expect: false,
      because: 'protects against forgery, proves no identity',
    },
    { headers: { 'x-access-token': 'null' }, expect: false, because: 'a variable without a value' },
    { query: { token: '' }, expect: false, because: 'nothing was sent' },
    { query: { page_token: '3a9f0c' }, expect: false, because: 'a cursor' },
    {
      body: { refresh_token: '3a9f0c' },
      expect: false,
      because: 'to be exchanged, not a proof for this request',
    },
  ],
})
