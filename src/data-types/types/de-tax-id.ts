import { isIso7064Mod11Mod10 } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT, SPACE } from '../value-signature.ts'

/** Of the first ten digits one occurs two or three times, the others at most once. */
function hasAllowedRepeats(digits: string): boolean {
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter((count) => count > 1)
  return repeated.length === 1 && repeated[0]! <= 3
}

export default dataType({
  name: 'DE_TAX_ID',
  summary:
    'A tax identification number of Germany: ISO 7064 check digit and the rule of repeats, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [11, 14], chars: DIGIT | SPACE, requires: DIGIT },
  keys: [
    'steuer id',
    'steuerid',
    'steueridentifikationsnummer',
    'steuer idnr',
    'idnr',
    'tax id',
    'tax number',
    'steuernummer',
  ],
  needsKey: true,
  verify(value) {
    const digits = value.replaceAll(' ', '')
    return /^[1-9]\d{10}$/.test(digits) && hasAllowedRepeats(digits) && isIso7064Mod11Mod10(digits) ? 97 : 0
  },
  cases: [
    { value: '86095742719', key: 'steuerId', expect: true, because: 'check digit and repeats' },
    { value: '86 095 742 719', key: 'taxId', expect: true, because: 'printed in groups' },
    { value: '86095742718', key: 'steuerId', expect: false, because: 'wrong check digit' },
    { value: '86095742719', key: 'phone', expect: false, because: 'nothing names it' },
  ],
})
