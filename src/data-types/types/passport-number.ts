import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'PASSPORT_NUMBER',
  summary: 'The number of a passport, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [6, 12], chars: ANY_UPPER | DIGIT, requires: DIGIT },
  keys: [
    'passport',
    'passport number',
    'passport no',
    'pasaporte',
    'passeport',
    'reisepass',
    'passnummer',
    'passaporto',
    'paspoort',
    'paszport',
  ],
  needsKey: true,
  verify: (value) => ((value.match(/\d/g) ?? []).length >= 3 ? 80 : 0),
  cases: [
    {
      value: 'C01X00T47',
      key: 'passportNumber',
      expect: true,
      because: 'letters and digits under a telling key',
    },
    { value: '123456789', key: 'passport_no', expect: true, because: 'digits only' },
    { value: 'C01X00T47', key: 'coupon', expect: false, because: 'nothing names it' },
    { value: 'GERMANY', key: 'passport', expect: false, because: 'a country' },
  ],
})
