import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, DIGIT } from '../value-signature.ts'

const SHAPE = /^[A-HJ-NPR-Z0-9]{17}$/
const LETTER_VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 0, 7, 0, 9, 2, 3, 4, 5, 6, 7, 8, 9]
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Check digit at position nine (49 CFR 565.15): weighted sum of the letter values modulo 11, X for ten. */
function hasCheckDigit(vin: string): boolean {
  let sum = 0
  for (let i = 0; i < 17; i++) {
    const code = vin.charCodeAt(i)
    sum += (code <= 57 ? code - 48 : LETTER_VALUES[code - 65]!) * WEIGHTS[i]!
  }
  const check = sum % 11
  return vin[8] === (check === 10 ? 'X' : String(check))
}

export default dataType({
  name: 'VIN',
  summary: 'A vehicle identification number (ISO 3779); the check digit proves it, or the key does.',
  category: 'IDENTIFIER',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [17, 17], chars: ALPHANUMERIC, requires: DIGIT },
  keys: [
    'vin',
    'vehicle identification',
    'chassis',
    'chassis number',
    'fahrgestellnummer',
    'bastidor',
    'telaio',
  ],
  verify(value, context) {
    const vin = value.toUpperCase()
    if (!SHAPE.test(vin) || !/[A-Z]/.test(vin) || !/\d{4}$/.test(vin)) return 0
    if (hasCheckDigit(vin)) return context.named ? 99 : context.misleading || value !== vin ? 45 : 85
    // In North America (first character 1 to 5) the check digit is required.
    return context.named && !/^[1-5]/.test(vin) ? 70 : 0
  },
  cases: [
    { value: '1M8GDM9AXKP042788', key: 'v', expect: true, because: 'the check digit X holds' },
    { value: '1HGCM82633A004352', key: 'vin', expect: true, because: 'key and check digit' },
    {
      value: 'WVWZZZ1JZXW000010',
      key: 'vehicleIdentificationNumber',
      expect: true,
      because: 'Europe has no check digit',
    },
    { value: '1M8GDM9A1KP042788', key: 'v', expect: false, because: 'wrong check digit and no telling key' },
    { value: '1M8GDM9AXKO042788', key: 'vin', expect: false, because: 'the letter O is not allowed' },
    { value: '12345678901234567', key: 'v', expect: false, because: 'digits only: a number' },
  ],
})
