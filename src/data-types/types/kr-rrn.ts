import { isDayOfMonth } from '../calendar.ts'
import { digitAt, digitsOf, weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT } from '../value-signature.ts'

const SHAPE = /^\d{2}(\d{2})(\d{2})(-?)[0-9]\d{6}$/
const WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]

export default dataType({
  name: 'KR_RRN',
  summary:
    'A resident registration number of Korea: birth date and a weighted check digit (numbers since October 2020 have none).',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [14, 14], chars: DIGIT | DASH, requires: DIGIT | DASH },
  whenNamed: { length: [13, 14], chars: DIGIT | DASH, requires: DIGIT },
  keys: ['rrn', 'resident registration', 'resident registration number', 'jumin', '주민등록번호'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null || !isDayOfMonth(Number(parts[2]), Number(parts[1]))) return 0
    const digits = digitsOf(value)
    const isRight = (11 - (weightedSum(digits, WEIGHTS) % 11)) % 10 === digitAt(digits, 12)
    if (context.named) return isRight ? 99 : digits.slice(0, 2) >= '20' && digits.slice(0, 2) <= '40' ? 70 : 0
    return isRight && parts[3] === '-' && !context.misleading ? 85 : 0
  },
  cases: [
    { value: '900101-1234568', key: 'v', expect: true, because: 'date, dash and check digit' },
    { value: '9001011234568', key: 'rrn', expect: true, because: 'without dash under a telling key' },
    { value: '900101-1234567', key: 'rrn', expect: false, because: 'wrong check digit' },
    { value: '901301-1234568', key: 'rrn', expect: false, because: 'month 13' },
    { value: '1678373430123', key: 'millis', expect: false, because: 'a time in milliseconds' },
  ],
})
