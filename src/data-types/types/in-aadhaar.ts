import { digitsOf, isVerhoeff } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^[2-9]\d{3}([ -]?)\d{4}\1\d{4}$/

export default dataType({
  name: 'IN_AADHAAR',
  summary: 'An Aadhaar number of India: twelve digits with the Verhoeff check digit.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [14, 14], chars: DIGIT | SPACE, requires: DIGIT | SPACE },
  whenNamed: { length: [12, 14], chars: DIGIT | SPACE | DASH, requires: DIGIT },
  keys: ['aadhaar', 'aadhar', 'adhaar', 'uidai', 'aadhaar number', 'aadhaar no'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null || !isVerhoeff(digitsOf(value))) return 0
    if (context.named) return 98
    return parts[1] === ' ' && !context.misleading ? 72 : 30
  },
  cases: [
    { value: '234123412346', key: 'aadhaarNumber', expect: true, because: 'check digit holds' },
    { value: '2341 2341 2346', key: 'v', expect: true, because: 'grouped as printed' },
    { value: '234123412345', key: 'aadhaarNumber', expect: false, because: 'wrong check digit' },
    {
      value: '234123412346',
      key: 'amount',
      expect: false,
      because: 'one number in ten passes: the key must tell',
    },
    { value: '134123412346', key: 'aadhaar', expect: false, because: 'never begins with 0 or 1' },
  ],
})
