import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^9\d{2}([- ]?)(\d{2})\1\d{4}$/

export default dataType({
  name: 'US_ITIN',
  summary: 'A United States individual taxpayer number: begins with 9, group in the issued ranges.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [11, 11], chars: DIGIT | DASH, requires: DIGIT | DASH },
  whenNamed: { length: [9, 11], chars: DIGIT | DASH | SPACE, requires: DIGIT },
  keys: ['itin', 'taxpayer', 'tax payer', 'tax id', 'taxpayer number', 'tin'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null) return 0
    const group = Number(parts[2])
    const isIssued =
      (group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group !== 93)
    if (!isIssued) return 0
    if (context.named) return 95
    return parts[1] === '-' && !context.misleading ? 75 : 30
  },
  cases: [
    { value: '912-70-1234', key: 'itin', expect: true, because: 'an issued group' },
    { value: '912701234', key: 'itin', expect: true, because: 'without dashes the key decides' },
    { value: '912-10-1234', key: 'itin', expect: false, because: 'group 10 was never issued' },
    { value: '912701234', key: 'amount', expect: false, because: 'nine digits are not enough' },
  ],
})
