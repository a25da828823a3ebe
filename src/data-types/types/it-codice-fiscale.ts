import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, DIGIT } from '../value-signature.ts'

/** Digits may be replaced by L M N P Q R S T U V where two persons would share a code. */
const SHAPE = /^[A-Z]{6}[0-9L-NP-V]{2}[ABCDEHLMPRST][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]$/
const ODD_DIGITS = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
const ODD_LETTERS = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

function checkLetter(code: string): string {
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const character = code.charCodeAt(i)
    const value = character <= 57 ? character - 48 : character - 65
    if (i % 2 === 0) sum += character <= 57 ? ODD_DIGITS[value]! : ODD_LETTERS[value]!
    else sum += value
  }
  return String.fromCharCode(65 + (sum % 26))
}

export default dataType({
  name: 'IT_CODICE_FISCALE',
  summary: 'A tax code of Italy: letters of the name, birth date, place and a check letter.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [16, 16], chars: ALPHANUMERIC, requires: 0 | DIGIT },
  keys: ['codice fiscale', 'codfis', 'cod fiscale', 'fiscal code', 'tax code'],
  verify(value, context) {
    const code = value.toUpperCase()
    if (!SHAPE.test(code) || checkLetter(code) !== code[15]) return 0
    return context.named ? 99 : value === code ? 92 : 60
  },
  cases: [
    { value: 'RSSMRA85T10A562S', key: 'v', expect: true, because: 'check letter holds' },
    {
      value: 'rssmra85t10a562s',
      key: 'codiceFiscale',
      expect: true,
      because: 'small letters under a telling key',
    },
    { value: 'RSSMRA85T10A562T', key: 'codiceFiscale', expect: false, because: 'wrong check letter' },
    { value: 'RSSMRA85F10A562S', key: 'v', expect: false, because: 'F is not a month' },
  ],
})
