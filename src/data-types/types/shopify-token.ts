import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DIGIT, HEX_LOWER } from '../value-signature.ts'

const BODY = { chars: DIGIT | HEX_LOWER, length: [32, 32] } as const
const PREFIXES = ['shpat_', 'shpca_', 'shppa_', 'shpss_'] as const

export default dataType({
  name: 'SHOPIFY_TOKEN',
  summary: 'A token or shared secret of Shopify.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [38, 38], starts: PREFIXES },
  inText: true,
  verify: (value) =>
    Math.max(
      ...PREFIXES.map((prefix) => (value.startsWith(prefix) ? prefixedToken(value, prefix, BODY) : 0)),
    ),
  cases: [
    {
      value: example('shpat_', '0f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'v',
      expect: true,
      because: '32 hex digits',
    },
    { value: example('shpat_', '0f4c'), key: 'v', expect: false, because: 'too short' },
  ],
})
