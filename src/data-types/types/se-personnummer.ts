import { isDayOfMonth } from '../calendar.ts'
import { digitsOf, isLuhn } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, PLUS } from '../value-signature.ts'

const SHAPE = /^(?:(?:19|20)?\d{2})(\d{2})(\d{2})([-+]?)\d{4}$/

export default dataType({
  name: 'SE_PERSONNUMMER',
  summary: 'A personal identity number of Sweden: birth date and a Luhn check digit.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [11, 13], chars: DIGIT | DASH, requires: DIGIT | DASH },
  whenNamed: { length: [10, 13], chars: DIGIT | DASH | PLUS, requires: DIGIT },
  keys: ['personnummer', 'personal number', 'samordningsnummer', 'person nummer', 'personal identity number'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null) return 0
    // Coordination numbers add 60 to the day.
    const day = Number(parts[2]) > 60 ? Number(parts[2]) - 60 : Number(parts[2])
    if (!isDayOfMonth(day, Number(parts[1])) || !isLuhn(digitsOf(value).slice(-10))) return 0
    if (context.named) return 98
    return parts[3] !== '' && !context.misleading ? 80 : 40
  },
  cases: [
    { value: '811218-9876', key: 'v', expect: true, because: 'date, dash and check digit' },
    {
      value: '198112189876',
      key: 'personnummer',
      expect: true,
      because: 'with the century under a telling key',
    },
    { value: '811218-9875', key: 'personnummer', expect: false, because: 'wrong check digit' },
    { value: '811318-9876', key: 'personnummer', expect: false, because: 'month 13' },
    { value: '8112189876', key: 'count', expect: false, because: 'digits alone are not enough' },
  ],
})
