import { isValidPhoneNumber } from 'libphonenumber-js/max'
import { yearOfDateText } from '../calendar.ts'
import { digitsOf, isOneDigitRepeated } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, DOT, PLUS, PUNCTUATION, SLASH, SPACE } from '../value-signature.ts'

const DIALLED = /^\+?[\d() ./-]+$/
const TRIED_LENGTH_MIN = 7

export default dataType({
  name: 'PHONE_NUMBER',
  summary:
    'A telephone number: international (E.164, valid for its country), or national under a telling key.',
  category: 'PERSON',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [8, 22],
    chars: DIGIT | SPACE | DASH | DOT | PLUS | SLASH | PUNCTUATION,
    requires: DIGIT | PLUS,
  },
  whenNamed: {
    length: [7, 22],
    chars: DIGIT | SPACE | DASH | DOT | PLUS | SLASH | PUNCTUATION,
    requires: DIGIT,
  },
  keys: [
    'phone',
    'telephone',
    'tel',
    'mobile',
    'cell',
    'cellphone',
    'msisdn',
    'fax',
    'whatsapp',
    'telefon',
    'handy',
    'telefono',
    'movil',
    'celular',
    'portable',
    'telefone',
    'cellulare',
    'telefoon',
    'puhelin',
    'telefonnummer',
    'contact number',
    'phone number',
    'mobile number',
    'komorka',
    'gsm',
  ],
  verify(value, context) {
    if (!DIALLED.test(value)) return 0
    if (value.startsWith('+')) return isValidPhoneNumber(value) ? 95 : 0
    if (!context.named) return 0
    const digits = digitsOf(value)
    if (value.startsWith('00') && isValidPhoneNumber(`+${digits.slice(2)}`)) return 92
    if (digits.length < TRIED_LENGTH_MIN || digits.length > 15 || isOneDigitRepeated(digits)) return 0
    if (yearOfDateText(value) !== undefined && digits.length === 8) return 0
    return 72
  },
  cases: [
    { value: '+14155552671', key: 'v', expect: true, because: 'E.164 and valid in its country' },
    { value: '+49 30 901820', key: 'contact', expect: true, because: 'spaces are usual' },
    {
      value: '(415) 555-2671',
      key: 'phoneNumber',
      expect: true,
      because: 'national form under a telling key',
    },
    { value: '0044 20 7946 0958', key: 'tel', expect: true, because: '00 is the international prefix' },
    { value: '+1234', key: 'phone', expect: false, because: 'too short for any country' },
    {
      value: '4155552671',
      key: 'orderNumber',
      expect: false,
      because: 'national digits without a telling key',
    },
    { value: '2023-03-09', key: 'phone', expect: false, because: 'a date' },
    { value: 'true', key: 'phoneVerified', expect: false, because: 'speaks about the number' },
  ],
})
