import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { ALPHANUMERIC } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['EAACEdEose0cBA', { chars: ALPHANUMERIC, length: [20, 300] }],
  ['EAA', { chars: ALPHANUMERIC, length: [90, 400] }],
] as const

export default dataType({
  name: 'FACEBOOK_TOKEN',
  summary: 'An access token of Facebook.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [34, 403], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('EAACEdEose0cBA', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk'),
      key: 'v',
      expect: true,
      because: 'prefix and body',
    },
    { value: example('EAA', 'CEdEose'), key: 'v', expect: false, because: 'too short' },
  ],
})
