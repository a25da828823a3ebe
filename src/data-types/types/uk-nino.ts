import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^([A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z])\d{6}[A-D]$/
const NEVER_ISSUED = new Set(['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'])

export default dataType({
  name: 'UK_NINO',
  summary:
    'A national insurance number of the United Kingdom: prefix and suffix letters in their allowed sets.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [9, 13], chars: ALPHANUMERIC | SPACE, requires: DIGIT },
  keys: ['nino', 'national insurance', 'national insurance number', 'ni number', 'ni no'],
  verify(value, context) {
    const compact = value.replaceAll(' ', '').toUpperCase()
    const parts = SHAPE.exec(compact)
    if (parts === null || NEVER_ISSUED.has(parts[1]!)) return 0
    if (context.named) return 97
    return context.misleading || value !== value.toUpperCase() ? 40 : 75
  },
  cases: [
    { value: 'AB123456C', key: 'v', expect: true, because: 'letters in their sets' },
    { value: 'AB 12 34 56 C', key: 'nationalInsuranceNumber', expect: true, because: 'printed in pairs' },
    { value: 'QQ123456C', key: 'nino', expect: false, because: 'Q is not used' },
    { value: 'GB123456A', key: 'nino', expect: false, because: 'a prefix that was never issued' },
    {
      value: 'AB123456C',
      key: 'trackingNumber',
      expect: false,
      because: 'a parcel number of the same shape',
    },
  ],
})
