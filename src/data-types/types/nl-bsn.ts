import { isOneDigitRepeated, weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

const WEIGHTS = [9, 8, 7, 6, 5, 4, 3, 2, -1]

export default dataType({
  name: 'NL_BSN',
  summary: 'A citizen service number of the Netherlands: the eleven test, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [8, 9], chars: DIGIT },
  keys: ['bsn', 'burgerservicenummer', 'sofinummer', 'citizen service number'],
  needsKey: true,
  verify(value) {
    const digits = value.padStart(9, '0')
    return !isOneDigitRepeated(digits) && weightedSum(digits, WEIGHTS) % 11 === 0 ? 96 : 0
  },
  cases: [
    { value: '111222333', key: 'bsn', expect: true, because: 'the eleven test holds' },
    { value: '111222334', key: 'bsn', expect: false, because: 'the eleven test fails' },
    { value: '111222333', key: 'amount', expect: false, because: 'nothing names it' },
  ],
})
