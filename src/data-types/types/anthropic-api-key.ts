import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE, length: [40, 140] } as const

export default dataType({
  name: 'ANTHROPIC_API_KEY',
  summary: 'A key of Anthropic.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [47, 147], starts: ['sk-ant-'] },
  inText: true,
  verify: (value) => prefixedToken(value, 'sk-ant-', BODY),
  cases: [
    {
      value: example(
        'sk-ant-',
        'api03-x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8De0Fg2Hi4Jk6Lm8No0Pq2Rs4Tu6VwAA',
      ),
      key: 'v',
      expect: true,
      because: 'prefix and body',
    },
    { value: example('sk-ant-', 'not-a-key'), key: 'v', expect: false, because: 'too short' },
  ],
})
