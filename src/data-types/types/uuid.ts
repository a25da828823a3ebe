import { dataType } from '../data-type.ts'
import { DASH, DIGIT, HEX_LOWER, HEX_UPPER } from '../value-signature.ts'

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export default dataType({
  name: 'UUID',
  summary: 'A universally unique identifier (RFC 9562) in its 8-4-4-4-12 form.',
  category: 'IDENTIFIER',
  severity: 'MEDIUM',
  sensitiveIn: 'NEVER',
  evidence: 'PROOF',
  mayMatch: { length: [36, 36], chars: DIGIT | HEX_LOWER | HEX_UPPER | DASH, requires: DASH },
  verify: (value) => (SHAPE.test(value) ? 98 : 0),
  cases: [
    { value: '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11', key: 'id', expect: true, because: 'version 4' },
    { value: '8B1F6B1E-6F0A-1F57-9A3C-0C1F4A6C2D11', key: 'id', expect: true, because: 'capital letters' },
    {
      value: '8b1f6b1e-6f0a-4f57-9a3c0-c1f4a6c2d11',
      key: 'id',
      expect: false,
      because: 'groups of the wrong size',
    },
    {
      value: '8b1f6b1e6f0a4f579a3c0c1f4a6c2d11',
      key: 'id',
      expect: false,
      because: 'no dashes: may be any hash',
    },
  ],
})
