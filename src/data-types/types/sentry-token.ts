import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DIGIT, EQUALS, HEX_LOWER, PLUS, SLASH, URL_SAFE } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['sntrys_', { chars: URL_SAFE | EQUALS | PLUS | SLASH, length: [80, 400] }],
  ['sntryu_', { chars: DIGIT | HEX_LOWER, length: [64, 64] }],
] as const

export default dataType({
  name: 'SENTRY_TOKEN',
  summary: 'An auth token of Sentry.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [71, 407], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('sntryu_', '0f4c2e7a9b1d3856e0a2c4f6d8b173950f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'v',
      expect: true,
      because: '64 hex digits',
    },
    { value: example('sntryu_', 'short'), key: 'v', expect: false, because: 'too short' },
  ],
})
