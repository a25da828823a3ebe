import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DOT, URL_SAFE } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['ya29.', { chars: URL_SAFE | DOT, length: [60, 2000] }],
  ['GOCSPX-', { chars: URL_SAFE, length: [28, 28] }],
  ['1//0', { chars: URL_SAFE, length: [30, 400] }],
] as const

export default dataType({
  name: 'GOOGLE_OAUTH_TOKEN',
  summary: 'An access token, refresh token or client secret of Google.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [34, 2005], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('GOCSPX-', 'a7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk'),
      key: 'v',
      expect: true,
      because: 'a client secret',
    },
    {
      value: example('ya29.', 'a0AfH6SMBx7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8De0Fg'),
      key: 'token',
      expect: true,
      because: 'an access token',
    },
    { value: example('GOCSPX-', 'short'), key: 'v', expect: false, because: 'too short' },
    {
      value: example('ya29 ', 'is a tram line in some city, they say'),
      key: 'text',
      expect: false,
      because: 'a sentence',
    },
  ],
})
