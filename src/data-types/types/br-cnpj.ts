import { dataType } from '../data-type.ts'
import { ANY_UPPER, DASH, DIGIT, DOT, SLASH } from '../value-signature.ts'

const SHAPE = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}$/

/** Weights 2..9 from the right; letters count by their code minus 48 (form of 2026). */
function checkDigit(text: string, count: number): number {
  let sum = 0
  for (let i = count - 1, weight = 2; i >= 0; i--, weight = weight === 9 ? 2 : weight + 1) {
    sum += (text.charCodeAt(i) - 48) * weight
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

export default dataType({
  name: 'BR_CNPJ',
  summary: 'A registry number of Brazil for companies: two mod 11 check digits.',
  category: 'NATIONAL_ID',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [18, 18],
    chars: ANY_UPPER | DIGIT | DOT | SLASH | DASH,
    requires: DIGIT | DOT | SLASH | DASH,
  },
  whenNamed: { length: [14, 18], chars: ANY_UPPER | DIGIT | DOT | SLASH | DASH, requires: DIGIT },
  keys: ['cnpj', 'numero cnpj'],
  verify(value, context) {
    if (!SHAPE.test(value)) return 0
    const compact = value.replace(/[./-]/g, '')
    if (compact.length !== 14 || /^(.)\1+$/.test(compact)) return 0
    if (checkDigit(compact, 12) !== Number(compact[12]) || checkDigit(compact, 13) !== Number(compact[13]))
      return 0
    return context.named ? 99 : value.length === 18 ? 93 : 40
  },
  cases: [
    { value: '11.222.333/0001-81', key: 'v', expect: true, because: 'right check digits' },
    { value: '11222333000181', key: 'cnpj', expect: true, because: 'digits under a telling key' },
    { value: '11.222.333/0001-82', key: 'cnpj', expect: false, because: 'wrong check digit' },
    { value: '11222333000181', key: 'ean', expect: false, because: 'a trade number' },
  ],
})
