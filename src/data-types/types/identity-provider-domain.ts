import { dataType } from '../data-type.ts'
import { hostOf } from '../secret-shape.ts'
import { ANY, DOT, LINE, LOWER, SPACE } from '../value-signature.ts'

const HOST =
  /^[a-z0-9-]{2,60}\.(?:(?:[a-z]{2}\.)?auth0\.com|okta\.com|okta-emea\.com|oktapreview\.com|b2clogin\.com|onelogin\.com)$/

export default dataType({
  name: 'IDENTITY_PROVIDER_DOMAIN',
  summary: 'The address of a tenant at an identity provider (Auth0, Okta, OneLogin, Azure B2C).',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: 'NEVER',
  evidence: 'PROOF',
  mayMatch: { length: [11, 512], chars: ANY & ~(LINE | SPACE), requires: DOT | LOWER },
  verify: (value) => (/auth0|okta|b2clogin|onelogin/.test(value) && HOST.test(hostOf(value)) ? 95 : 0),
  cases: [
    { value: 'https://shop.eu.auth0.com/authorize', key: 'issuer', expect: true, because: 'Auth0' },
    { value: 'shop.okta.com', key: 'domain', expect: true, because: 'Okta' },
    { value: 'https://auth0.com/docs', key: 'v', expect: false, because: 'a public page' },
    { value: 'https://shop.test/okta.com', key: 'v', expect: false, because: 'in the path' },
  ],
})
