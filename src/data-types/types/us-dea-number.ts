import { digitAt } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT } from '../value-signature.ts'

const SHAPE = /^[A-HJ-MPRSTUX][A-Z9]\d{7}$/

export default dataType({
  name: 'US_DEA_NUMBER',
  summary: 'A registration number for prescribers in the United States: weighted check digit.',
  category: 'HEALTH',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [9, 9], chars: ANY_UPPER | DIGIT, requires: DIGIT },
  keys: ['dea', 'dea number', 'dea registration'],
  needsKey: true,
  verify(value) {
    if (!SHAPE.test(value)) return 0
    const at = (index: number): number => digitAt(value, index + 2)
    return (at(0) + at(2) + at(4) + 2 * (at(1) + at(3) + at(5))) % 10 === at(6) ? 97 : 0
  },
  cases: [
    { value: 'AB1234563', key: 'deaNumber', expect: true, because: 'check digit holds' },
    { value: 'AB1234564', key: 'deaNumber', expect: false, because: 'wrong check digit' },
    { value: 'AB1234563', key: 'seat', expect: false, because: 'nothing names it' },
  ],
})
