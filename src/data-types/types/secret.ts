import { dataType, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { DOT, EQUALS, entropyPerChar, PLUS, SLASH, URL_SAFE } from '../value-signature.ts'

const PAGING = /next|page|continu|cursor|sync|csrf|xsrf|captcha|push|device|type/i

export default dataType({
  name: 'SECRET',
  summary: 'A value drawn at random under a key that names a secret, key or token, of no known provider.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'NAME',
  mayMatch: { length: [16, 1024], chars: URL_SAFE | DOT | PLUS | SLASH | EQUALS },
  keys: [
    'secret',
    'client secret',
    'api secret',
    'app secret',
    'secret key',
    'token',
    'access token',
    'refresh token',
    'auth token',
    'api token',
    'api key',
    'apikey',
    'private key',
    'signing key',
    'encryption key',
    'master key',
    'webhook secret',
    'credential',
    'credentials',
    'totp secret',
    'bearer',
    'geheimnis',
    'jeton',
    'ficha',
  ],
  needsKey: true,
  fallback: true,
  verify(value, context) {
    if (PAGING.test(context.key)) return 0
    const letters = /[A-Za-z]/.test(value)
    const digits = /\d/.test(value)
    if (!letters || (!digits && value.length < 24)) return 0
    return entropyPerChar(value) >= 3 ? 82 : 0
  },
  cases: [
    {
      value: 'kJ8sd92mXq1LzP0vTn4RbY7w',
      key: 'clientSecret',
      expect: true,
      because: 'random under a telling key',
    },
    {
      value: '9f86d081884c7d659a2feaa0c55ad015',
      key: 'api_key',
      expect: true,
      because: 'hex under a telling key',
    },
    { value: 'kJ8sd92mXq1LzP0vTn4RbY7w', key: 'nextPageToken', expect: false, because: 'a paging cursor' },
    { value: 'kJ8sd92mXq1LzP0vTn4RbY7w', key: 'etag', expect: false, because: 'nothing names a secret' },
    { value: 'aaaaaaaaaaaaaaaaaaaaaaaa', key: 'secret', expect: false, because: 'not random' },
    { value: 'client_credentials', key: 'token', expect: false, because: 'a word' },
  ],
})
