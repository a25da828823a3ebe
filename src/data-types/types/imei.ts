import { digitsOf, isLuhn, isOneDigitRepeated } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

export default dataType({
  name: 'IMEI',
  summary:
    'An equipment identity of a mobile phone: fifteen digits with a Luhn check digit, under a telling key.',
  category: 'DEVICE',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [15, 18], chars: DIGIT | DASH | SPACE, requires: DIGIT },
  keys: ['imei', 'imei number', 'meid', 'equipment identity'],
  needsKey: true,
  verify(value) {
    const digits = digitsOf(value)
    return digits.length === 15 && isLuhn(digits) && !isOneDigitRepeated(digits) ? 97 : 0
  },
  cases: [
    { value: '490154203237518', key: 'imei', expect: true, because: 'check digit holds' },
    { value: '49-015420-323751-8', key: 'IMEI', expect: true, because: 'grouped' },
    { value: '490154203237517', key: 'imei', expect: false, because: 'wrong check digit' },
    { value: '490154203237518', key: 'orderId', expect: false, because: 'nothing names it' },
  ],
})
