import { dataType } from '../data-type.ts'
import { DASH, DIGIT } from '../value-signature.ts'

const SHAPE = /^(\d{2})-?\d{7}$/
const NEVER_ISSUED = new Set([
  '00',
  '07',
  '08',
  '09',
  '17',
  '18',
  '19',
  '28',
  '29',
  '49',
  '69',
  '70',
  '78',
  '79',
  '89',
  '96',
  '97',
])

export default dataType({
  name: 'US_EIN',
  summary: 'A United States employer identification number, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [9, 10], chars: DIGIT | DASH, requires: DIGIT },
  keys: ['ein', 'employer identification', 'employer id', 'federal tax id', 'fein', 'tax id'],
  needsKey: true,
  verify(value) {
    const parts = SHAPE.exec(value)
    return parts === null || NEVER_ISSUED.has(parts[1]!) ? 0 : value.includes('-') ? 92 : 70
  },
  cases: [
    { value: '12-3456789', key: 'ein', expect: true, because: 'the usual form' },
    { value: '07-3456789', key: 'ein', expect: false, because: 'the prefix was never issued' },
    { value: '12-3456789', key: 'part', expect: false, because: 'nothing names it' },
  ],
})
