import { digitsOf, isLuhn, isOneDigitRepeated } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

const GROUPED = /^\d{4}(?:[ -]\d{3,7}){2,4}$/

/** True for issuer range and length of a known brand (ISO/IEC 7812 prefixes). */
function isKnownIssuer(digits: string): boolean {
  const length = digits.length
  const two = Number(digits.slice(0, 2))
  const three = Number(digits.slice(0, 3))
  const four = Number(digits.slice(0, 4))
  if (digits[0] === '4') return length === 16 || length === 13 || length === 19
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720) || (four >= 2200 && four <= 2204))
    return length === 16
  if (two === 34 || two === 37) return length === 15
  if ((three >= 300 && three <= 305) || three === 309 || two === 36 || two === 38 || two === 39)
    return length === 14
  if (four >= 3528 && four <= 3589) return length === 16
  if (four === 6011 || (three >= 644 && three <= 649) || two === 65) return length === 16 || length === 19
  if (two === 62) return length >= 16 && length <= 19
  return (two === 60 || two === 81 || two === 82 || three === 508) && length === 16
}

/** Maestro has no narrow range: accepted only where the key speaks of a card. */
function isMaestroRange(digits: string): boolean {
  const two = Number(digits.slice(0, 2))
  return two === 50 || (two >= 56 && two <= 58) || two === 63 || two === 67
}

export default dataType({
  name: 'CREDIT_CARD',
  summary: 'A payment card number: issuer range, length and Luhn check digit.',
  category: 'FINANCE',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [12, 24], chars: DIGIT | SPACE | DASH, requires: DIGIT },
  keys: [
    'card',
    'card number',
    'card num',
    'card no',
    'cc',
    'cc number',
    'ccnum',
    'pan',
    'credit card',
    'debit card',
    'payment card',
    'kreditkarte',
    'kartennummer',
    'carte',
    'tarjeta',
    'cartao',
    'carta',
    'kaart',
    'karta',
    'kort',
  ],
  inText: true,
  verify(value, context) {
    // No issuer begins with 0, 1 or 7; times in milliseconds do.
    if (!'2345689'.includes(value[0]!)) return 0
    const isGrouped = value.charCodeAt(4) < 48
    if (isGrouped ? !GROUPED.test(value) : !/^\d+$/.test(value)) return 0
    const digits = isGrouped ? digitsOf(value) : value
    if (digits.length < 12 || digits.length > 19 || !isLuhn(digits) || isOneDigitRepeated(digits)) return 0
    if (isKnownIssuer(digits)) return context.named ? 99 : isGrouped ? 92 : context.misleading ? 40 : 80
    return context.named && isMaestroRange(digits) ? 90 : 0
  },
  cases: [
    { value: '4111111111111111', key: 'cardNumber', expect: true, because: 'a Visa test number' },
    { value: '5555 5555 5555 4444', key: 'value', expect: true, because: 'grouped as printed on the card' },
    { value: '378282246310005', key: 'pan', expect: true, because: 'American Express has 15 digits' },
    { value: '4111111111111112', key: 'cardNumber', expect: false, because: 'wrong check digit' },
    {
      value: '4111111111111111',
      key: 'orderId',
      expect: false,
      because: 'an order number that happens to pass Luhn',
    },
    { value: '1678373430123456', key: 'micros', expect: false, because: 'no issuer begins with 1' },
    { value: '************1111', key: 'cardNum', expect: false, because: 'already masked' },
    { value: '0000000000000000', key: 'card', expect: false, because: 'a placeholder' },
  ],
})
