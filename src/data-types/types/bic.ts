import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT } from '../value-signature.ts'

const SHAPE = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

export default dataType({
  name: 'BIC',
  summary: 'A bank identifier (ISO 9362), under a telling key.',
  category: 'FINANCE',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [8, 11], chars: ANY_UPPER | DIGIT },
  keys: ['bic', 'swift', 'swift code', 'swift bic', 'bank code'],
  needsKey: true,
  verify: (value) => (SHAPE.test(value) ? 90 : 0),
  cases: [
    { value: 'DEUTDEFF', key: 'bic', expect: true, because: 'eight characters' },
    { value: 'DEUTDEFF500', key: 'swiftCode', expect: true, because: 'with a branch' },
    { value: 'CUSTOMER', key: 'role', expect: false, because: 'a word of eight letters' },
    { value: 'DEUTDEFF5', key: 'bic', expect: false, because: 'nine characters' },
  ],
})
