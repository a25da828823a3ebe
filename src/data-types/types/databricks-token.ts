import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DASH, DIGIT, HEX_LOWER } from '../value-signature.ts'

const BODY = { chars: DIGIT | HEX_LOWER | DASH, length: [32, 34] } as const

export default dataType({
  name: 'DATABRICKS_TOKEN',
  summary: 'A personal access token of Databricks.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [36, 38], starts: ['dapi'] },
  inText: true,
  verify: (value) => prefixedToken(value, 'dapi', BODY),
  cases: [
    {
      value: example('dapi', '0f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'v',
      expect: true,
      because: '32 hex digits',
    },
    {
      value: example('dapi', '0f4c2e7a9b1d3856e0a2c4f6d8b1739'),
      key: 'v',
      expect: false,
      because: 'one digit short',
    },
    {
      value: example('dapi', '00000000000000000000000000000000'),
      key: 'v',
      expect: false,
      because: 'a placeholder',
    },
  ],
})
