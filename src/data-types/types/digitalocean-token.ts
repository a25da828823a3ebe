import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DIGIT, HEX_LOWER } from '../value-signature.ts'

const BODY = { chars: DIGIT | HEX_LOWER, length: [64, 64] } as const
const PREFIXES = ['dop_v1_', 'doo_v1_', 'dor_v1_'] as const

export default dataType({
  name: 'DIGITALOCEAN_TOKEN',
  summary: 'A token of DigitalOcean.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [71, 71], starts: PREFIXES },
  inText: true,
  verify: (value) =>
    Math.max(
      ...PREFIXES.map((prefix) => (value.startsWith(prefix) ? prefixedToken(value, prefix, BODY) : 0)),
    ),
  cases: [
    {
      value: example('dop_v1_', '0f4c2e7a9b1d3856e0a2c4f6d8b173950f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'v',
      expect: true,
      because: '64 hex digits',
    },
    { value: example('dop_v1_', '0f4c2e7a9b1d3856'), key: 'v', expect: false, because: 'too short' },
  ],
})
