import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { ALPHANUMERIC } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['secret_', { chars: ALPHANUMERIC, length: [43, 43] }],
  ['ntn_', { chars: ALPHANUMERIC, length: [40, 60] }],
] as const

export default dataType({
  name: 'NOTION_TOKEN',
  summary: 'An integration token of Notion.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [44, 64], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('secret_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu'),
      key: 'v',
      expect: true,
      because: '43 characters',
    },
    { value: example('secret_', 'santa'), key: 'v', expect: false, because: 'a word' },
    { value: example('ntn_', 'short'), key: 'v', expect: false, because: 'too short' },
  ],
})
