import { digitAt, digitsOf, weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT, SLASH, SPACE } from '../value-signature.ts'

const WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9]

export default dataType({
  name: 'AU_MEDICARE',
  summary: 'A Medicare card number of Australia: weighted check digit, under a telling key.',
  category: 'HEALTH',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [10, 14], chars: DIGIT | SPACE | SLASH, requires: DIGIT },
  keys: ['medicare', 'medicare number', 'medicare card'],
  needsKey: true,
  verify(value) {
    const digits = digitsOf(value)
    if (!/^[2-6]\d{9,10}$/.test(digits)) return 0
    return weightedSum(digits, WEIGHTS) % 10 === digitAt(digits, 8) ? 96 : 0
  },
  cases: [
    { value: '2123 45670 1', key: 'medicareNumber', expect: true, because: 'check digit holds' },
    { value: '2123456711', key: 'medicareNumber', expect: false, because: 'wrong check digit' },
    { value: '9123456701', key: 'medicare', expect: false, because: 'begins with 2 to 6' },
  ],
})
