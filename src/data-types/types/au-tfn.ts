import { digitsOf, isOneDigitRepeated, weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT, SPACE } from '../value-signature.ts'

const WEIGHTS = [1, 4, 3, 7, 5, 8, 6, 9, 10]

export default dataType({
  name: 'AU_TFN',
  summary: 'A tax file number of Australia: weighted mod 11 check, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [9, 11], chars: DIGIT | SPACE, requires: DIGIT },
  keys: ['tfn', 'tax file', 'tax file number'],
  needsKey: true,
  verify(value) {
    const digits = digitsOf(value)
    if (digits.length !== 9 || isOneDigitRepeated(digits)) return 0
    return weightedSum(digits, WEIGHTS) % 11 === 0 ? 96 : 0
  },
  cases: [
    { value: '123 456 782', key: 'tfn', expect: true, because: 'check holds' },
    { value: '123456783', key: 'tfn', expect: false, because: 'check fails' },
    { value: '123456782', key: 'amount', expect: false, because: 'nothing names it' },
  ],
})
