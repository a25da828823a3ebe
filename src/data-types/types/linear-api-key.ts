import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { ALPHANUMERIC } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['lin_api_', { chars: ALPHANUMERIC, length: [40, 40] }],
  ['lin_oauth_', { chars: ALPHANUMERIC, length: [40, 70] }],
] as const

export default dataType({
  name: 'LINEAR_API_KEY',
  summary: 'A key of Linear.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [48, 80], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('lin_api_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs'),
      key: 'v',
      expect: true,
      because: '40 characters',
    },
    { value: example('lin_api_', 'short'), key: 'v', expect: false, because: 'too short' },
  ],
})
