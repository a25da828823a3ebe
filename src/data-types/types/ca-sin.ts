import { digitsOf, isLuhn } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^[1-79]\d{2}([ -]?)\d{3}\1\d{3}$/

export default dataType({
  name: 'CA_SIN',
  summary: 'A social insurance number of Canada: nine digits with a Luhn check digit, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [9, 11], chars: DIGIT | SPACE | DASH, requires: DIGIT },
  keys: ['sin', 'social insurance', 'social insurance number', 'numero d assurance sociale', 'nas'],
  needsKey: true,
  verify: (value) => (SHAPE.test(value) && isLuhn(digitsOf(value)) ? 95 : 0),
  cases: [
    { value: '193-456-787', key: 'sin', expect: true, because: 'check digit holds' },
    { value: '193456787', key: 'socialInsuranceNumber', expect: true, because: 'without dashes' },
    { value: '193456788', key: 'sin', expect: false, because: 'wrong check digit' },
    { value: '193456787', key: 'orderNumber', expect: false, because: 'nothing names it' },
  ],
})
