import { isDayOfMonth } from '../calendar.ts'
import { isLuhn } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

const SHAPE = /^\d{2}(\d{2})(\d{2})\d{4}[012][89]\d$/

export default dataType({
  name: 'ZA_ID',
  summary: 'An identity number of South Africa: birth date, citizenship and a Luhn check digit.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [13, 13], chars: DIGIT },
  keys: ['id number', 'identity number', 'south african id', 'said', 'rsa id'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null || !isDayOfMonth(Number(parts[2]), Number(parts[1])) || !isLuhn(value)) return 0
    return context.named ? 97 : context.misleading ? 30 : 72
  },
  cases: [
    { value: '8001015009087', key: 'idNumber', expect: true, because: 'date, citizenship and check digit' },
    { value: '8001015009088', key: 'idNumber', expect: false, because: 'wrong check digit' },
    { value: '8013015009087', key: 'idNumber', expect: false, because: 'month 13' },
    { value: '8001015009087', key: 'ean', expect: false, because: 'a trade number' },
  ],
})
