import { isLuhn } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'US_NPI',
  summary:
    'A provider identifier of the United States health system: Luhn with the prefix 80840, under a telling key.',
  category: 'HEALTH',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [10, 10], chars: DIGIT },
  keys: ['npi', 'provider id', 'provider identifier', 'provider npi', 'national provider'],
  needsKey: true,
  verify: (value) => (/^[12]/.test(value) && isLuhn(`80840${value}`) ? 97 : 0),
  cases: [
    { value: '1234567893', key: 'npi', expect: true, because: 'check digit holds' },
    { value: '1234567890', key: 'npi', expect: false, because: 'wrong check digit' },
    { value: '1234567893', key: 'phone', expect: false, because: 'nothing names it' },
  ],
})
