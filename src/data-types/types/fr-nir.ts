import { decimalRemainder } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^[1-478]\d{2}(?:0[1-9]|1[0-2]|[2-4]\d|[5-9]\d)(?:\d{2}|2[AB])\d{6}\d{2}$/

export default dataType({
  name: 'FR_NIR',
  summary: 'A social security number of France: sex, birth month, place and a mod 97 key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [15, 21], chars: DIGIT | SPACE | ANY_UPPER, requires: DIGIT },
  keys: [
    'nir',
    'securite sociale',
    'numero de securite sociale',
    'numero securite sociale',
    'insee',
    'social security',
  ],
  verify(value, context) {
    const compact = value.replaceAll(' ', '')
    if (!SHAPE.test(compact)) return 0
    // Corsica's departments 2A and 2B count as 19 and 18.
    const digits = compact.slice(0, 13).replace('2A', '19').replace('2B', '18')
    if (/\D/.test(digits) || 97 - decimalRemainder(digits, 97) !== Number(compact.slice(13))) return 0
    if (context.named) return 99
    return context.misleading ? 40 : value === compact ? 75 : 88
  },
  cases: [
    { value: '255081416802538', key: 'v', expect: true, because: 'the key holds' },
    {
      value: '2 55 08 14 168 025 38',
      key: 'numeroSecuriteSociale',
      expect: true,
      because: 'printed in groups',
    },
    { value: '255081416802539', key: 'nir', expect: false, because: 'wrong key' },
    { value: '955081416802538', key: 'nir', expect: false, because: 'no such sex digit' },
    { value: '255081416802538', key: 'orderId', expect: false, because: 'an order number' },
  ],
})
