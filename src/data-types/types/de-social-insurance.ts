import { isDayOfMonth } from '../calendar.ts'
import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^(\d{2})(\d{2})(\d{2})\d{2}([A-Z])(\d{2})(\d)$/
const WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]

/** Sum of the digit sums of the weighted digits, the letter written as two digits, modulo 10. */
function checkDigit(compact: string, letter: string): number {
  const number = String(letter.charCodeAt(0) - 64).padStart(2, '0')
  const digits = compact.slice(0, 8) + number + compact.slice(9, 11)
  let sum = 0
  for (let i = 0; i < 12; i++) {
    const product = Number(digits[i]) * WEIGHTS[i]!
    sum += Math.floor(product / 10) + (product % 10)
  }
  return sum % 10
}

export default dataType({
  name: 'DE_SOCIAL_INSURANCE',
  summary:
    'An insurance number of the German pension scheme: birth date, letter of the name and a check digit.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [12, 15], chars: DIGIT | ANY_UPPER | SPACE, requires: DIGIT },
  keys: [
    'sozialversicherungsnummer',
    'rentenversicherungsnummer',
    'versicherungsnummer',
    'sv nummer',
    'rvnr',
    'social security',
  ],
  verify(value, context) {
    const compact = value.replaceAll(' ', '')
    const parts = SHAPE.exec(compact)
    if (parts === null) return 0
    // A second insurance of the same day counts the day from 50 on.
    const day = Number(parts[2]) > 50 ? Number(parts[2]) - 50 : Number(parts[2])
    if (!isDayOfMonth(day, Number(parts[3])) || checkDigit(compact, parts[4]!) !== Number(parts[6])) return 0
    return context.named ? 98 : context.misleading ? 40 : 78
  },
  cases: [
    {
      value: '15070649C103',
      key: 'sozialversicherungsnummer',
      expect: true,
      because: 'date and check digit',
    },
    { value: '15 070649 C 103', key: 'v', expect: true, because: 'printed in groups' },
    { value: '15070649C104', key: 'sozialversicherungsnummer', expect: false, because: 'wrong check digit' },
    { value: '15074649C103', key: 'rvnr', expect: false, because: 'month 46' },
  ],
})
