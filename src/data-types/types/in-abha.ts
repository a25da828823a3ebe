import { digitsOf, isOneDigitRepeated } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'IN_ABHA',
  summary: 'A health account number of India: fourteen digits under a telling key.',
  category: 'HEALTH',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [14, 17], chars: DIGIT | DASH, requires: DIGIT },
  keys: ['abha', 'abha number', 'health id', 'health account', 'ndhm', 'healthid'],
  needsKey: true,
  verify: (value) =>
    /^\d{2}-?\d{4}-?\d{4}-?\d{4}$/.test(value) && !isOneDigitRepeated(digitsOf(value)) ? 88 : 0,
  cases: [
    { value: '91-1234-5678-9012', key: 'abhaNumber', expect: true, because: 'the usual groups' },
    { value: '00000000000000', key: 'abha', expect: false, because: 'a placeholder' },
    { value: '91123456789012', key: 'micros', expect: false, because: 'nothing names it' },
  ],
})
