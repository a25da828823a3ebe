import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT } from '../value-signature.ts'

const SHAPE = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/

export default dataType({
  name: 'IN_PAN',
  summary: 'A permanent account number of India: its fourth letter is a kind of holder.',
  category: 'NATIONAL_ID',
  severity: 'CRITICAL',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [10, 10], chars: ANY_UPPER | DIGIT, requires: DIGIT },
  keys: ['pan', 'pan number', 'pan card', 'pan no', 'permanent account number'],
  verify: (value, context) => (SHAPE.test(value) ? (context.named ? 97 : context.misleading ? 30 : 75) : 0),
  cases: [
    { value: 'ABCPD1234F', key: 'panNumber', expect: true, because: 'P: a person' },
    { value: 'AAACI1195H', key: 'v', expect: true, because: 'C: a company' },
    { value: 'ABCDE1234F', key: 'pan', expect: false, because: 'D is not a holder type' },
    { value: 'ABCPD1234F', key: 'sku', expect: false, because: 'an article number of the same shape' },
  ],
})
