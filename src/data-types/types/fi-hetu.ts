import { isDayOfMonth } from '../calendar.ts'
import { dataType } from '../data-type.ts'
import { ANY_UPPER, DASH, DIGIT, PLUS } from '../value-signature.ts'

const SHAPE = /^(\d{2})(\d{2})\d{2}[-+A-FU-Y](\d{3})([0-9A-Y])$/
const CHECKS = '0123456789ABCDEFHJKLMNPRSTUVWXY'

export default dataType({
  name: 'FI_HETU',
  summary: 'A personal identity code of Finland: birth date, century sign and a mod 31 check character.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [11, 11], chars: DIGIT | ANY_UPPER | DASH | PLUS, requires: DIGIT },
  keys: ['hetu', 'henkilotunnus', 'personal identity code', 'ssn'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null || !isDayOfMonth(Number(parts[1]), Number(parts[2]))) return 0
    const number = Number(value.slice(0, 6) + parts[3])
    if (CHECKS[number % 31] !== parts[4]) return 0
    return context.named ? 99 : context.misleading ? 45 : 85
  },
  cases: [
    { value: '131052-308T', key: 'v', expect: true, because: 'check character holds' },
    { value: '131052-308U', key: 'hetu', expect: false, because: 'wrong check character' },
    { value: '311352-308T', key: 'hetu', expect: false, because: 'month 13' },
  ],
})
