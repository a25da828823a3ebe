import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { ANY_UPPER, DIGIT, HEX_LOWER, URL_SAFE } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['NRAK-', { chars: ANY_UPPER | DIGIT, length: [27, 27] }],
  ['NRII-', { chars: URL_SAFE, length: [32, 32] }],
  ['NRJS-', { chars: DIGIT | HEX_LOWER, length: [19, 19] }],
] as const

export default dataType({
  name: 'NEWRELIC_KEY',
  summary: 'A key of New Relic.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [24, 37], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('NRAK-', 'X7K2MNQ9RT4VX6ZB1CD3EF5GH8J'),
      key: 'v',
      expect: true,
      because: '27 characters',
    },
    { value: example('NRAK-', 'SHORT'), key: 'v', expect: false, because: 'too short' },
  ],
})
