import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { ALPHANUMERIC } from '../value-signature.ts'

const BODY = { chars: ALPHANUMERIC, length: [14, 20] } as const
const PREFIXES = ['rzp_live_', 'rzp_test_'] as const

export default dataType({
  name: 'RAZORPAY_KEY',
  summary: 'A key id of Razorpay.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [23, 29], starts: PREFIXES },
  inText: true,
  verify: (value) =>
    Math.max(
      ...PREFIXES.map((prefix) => (value.startsWith(prefix) ? prefixedToken(value, prefix, BODY) : 0)),
    ),
  cases: [
    { value: example('rzp_live_', 'x7K2mNq9Rt4Vx6'), key: 'v', expect: true, because: 'prefix and body' },
    { value: example('rzp_live_', 'short'), key: 'v', expect: false, because: 'too short' },
  ],
})
