import { digitAt, digitsOf, isOneDigitRepeated, weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^\d{3}([ -]?)\d{3}\1\d{4}$/
const WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2]

export default dataType({
  name: 'UK_NHS_NUMBER',
  summary:
    'A patient number of the British health service: ten digits with a mod 11 check digit, under a telling key.',
  category: 'HEALTH',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [10, 12], chars: DIGIT | SPACE | DASH, requires: DIGIT },
  keys: ['nhs', 'nhs number', 'nhs no', 'patient number', 'patient id'],
  needsKey: true,
  verify(value) {
    const digits = digitsOf(value)
    if (!SHAPE.test(value) || isOneDigitRepeated(digits)) return 0
    const check = (11 - (weightedSum(digits, WEIGHTS) % 11)) % 11
    return check === digitAt(digits, 9) ? 97 : 0
  },
  cases: [
    { value: '943 476 5919', key: 'nhsNumber', expect: true, because: 'check digit holds' },
    { value: '9434765919', key: 'nhs_no', expect: true, because: 'without blanks' },
    { value: '9434765918', key: 'nhsNumber', expect: false, because: 'wrong check digit' },
    { value: '9434765919', key: 'phone', expect: false, because: 'nothing names it' },
  ],
})
