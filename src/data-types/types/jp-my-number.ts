import { digitAt, isOneDigitRepeated, weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

const WEIGHTS = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

export default dataType({
  name: 'JP_MY_NUMBER',
  summary: 'An individual number of Japan: twelve digits with a mod 11 check digit, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [12, 12], chars: DIGIT },
  keys: [
    'my number',
    'individual number',
    'social insurance number',
    'kojin bango',
    'マイナンバー',
    '個人番号',
  ],
  needsKey: true,
  verify(value) {
    const rest = weightedSum(value, WEIGHTS) % 11
    return !isOneDigitRepeated(value) && (rest <= 1 ? 0 : 11 - rest) === digitAt(value, 11) ? 96 : 0
  },
  cases: [
    { value: '123456789018', key: 'myNumber', expect: true, because: 'check digit holds' },
    { value: '123456789010', key: 'myNumber', expect: false, because: 'wrong check digit' },
    { value: '123456789018', key: 'count', expect: false, because: 'nothing names it' },
  ],
})
