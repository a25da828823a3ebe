import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE, length: [40, 60] } as const
const PREFIXES = ['figd_', 'figu_'] as const

export default dataType({
  name: 'FIGMA_TOKEN',
  summary: 'A token of Figma.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [45, 65], starts: PREFIXES },
  inText: true,
  verify: (value) =>
    Math.max(
      ...PREFIXES.map((prefix) => (value.startsWith(prefix) ? prefixedToken(value, prefix, BODY) : 0)),
    ),
  cases: [
    {
      value: example('figd_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs'),
      key: 'v',
      expect: true,
      because: 'prefix and body',
    },
    { value: example('figd_', 'short'), key: 'v', expect: false, because: 'too short' },
  ],
})
