import { digitAt, digitsOf, isOneDigitRepeated } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, DOT } from '../value-signature.ts'

const SHAPE = /^\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{11}$/

/** Check digit after the first `count` digits: weights count+1 … 2, modulo 11, ten counts as zero. */
function checkDigit(digits: string, count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += digitAt(digits, i) * (count + 1 - i)
  return ((sum * 10) % 11) % 10
}

export default dataType({
  name: 'BR_CPF',
  summary: 'A taxpayer number of Brazil for persons: two mod 11 check digits.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [14, 14], chars: DIGIT | DOT | DASH, requires: DIGIT | DOT | DASH },
  whenNamed: { length: [11, 14], chars: DIGIT | DOT | DASH, requires: DIGIT },
  keys: ['cpf', 'cpf number', 'numero cpf', 'documento', 'taxpayer'],
  verify(value, context) {
    if (!SHAPE.test(value)) return 0
    const digits = digitsOf(value)
    if (isOneDigitRepeated(digits)) return 0
    if (checkDigit(digits, 9) !== digitAt(digits, 9) || checkDigit(digits, 10) !== digitAt(digits, 10))
      return 0
    return context.named ? 99 : value.length === 14 ? 93 : 45
  },
  cases: [
    {
      value: '529.982.247-25',
      key: 'v',
      expect: true,
      because: 'the punctuated form with right check digits',
    },
    { value: '52998224725', key: 'cpf', expect: true, because: 'digits under a telling key' },
    { value: '529.982.247-24', key: 'cpf', expect: false, because: 'wrong check digit' },
    {
      value: '52998224725',
      key: 'phone',
      expect: false,
      because: 'one number in a hundred passes: the key must tell',
    },
    { value: '111.111.111-11', key: 'cpf', expect: false, because: 'a placeholder' },
  ],
})
