import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { ALPHANUMERIC } from '../value-signature.ts'

const BODY = { chars: ALPHANUMERIC, length: [34, 40] } as const
const PREFIXES = ['hf_', 'api_org_'] as const

export default dataType({
  name: 'HUGGINGFACE_TOKEN',
  summary: 'A token of Hugging Face.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [37, 48], starts: PREFIXES },
  inText: true,
  verify: (value) =>
    Math.max(
      ...PREFIXES.map((prefix) => (value.startsWith(prefix) ? prefixedToken(value, prefix, BODY) : 0)),
    ),
  cases: [
    {
      value: example('hf_', 'xKmNqRtVxZbCdEfGhJkLmNoPqRsTuVwXyZa'),
      key: 'v',
      expect: true,
      because: '34 letters',
    },
    { value: example('hf_', 'transformers'), key: 'v', expect: false, because: 'too short' },
    {
      value: example('hf_', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
      key: 'v',
      expect: false,
      because: 'a placeholder',
    },
  ],
})
