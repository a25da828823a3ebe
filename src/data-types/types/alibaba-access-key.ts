import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { ALPHANUMERIC } from '../value-signature.ts'

const BODY = { chars: ALPHANUMERIC, length: [12, 22] } as const

export default dataType({
  name: 'ALIBABA_ACCESS_KEY',
  summary: 'An access key id of Alibaba Cloud.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [16, 26], starts: ['LTAI'] },
  inText: true,
  verify: (value) => prefixedToken(value, 'LTAI', BODY),
  cases: [
    { value: example('LTAI', '5tQ8mXz2Kd9sLw4RbY7n'), key: 'v', expect: true, because: 'prefix and body' },
    { value: example('LTAI', '5tQ8'), key: 'v', expect: false, because: 'too short' },
    { value: example('LTAI', 'AAAAAAAAAAAAAAAA'), key: 'v', expect: false, because: 'a placeholder' },
  ],
})
