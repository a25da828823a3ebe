import { dataType } from '../data-type.ts'
import { ANY_UPPER, DASH, DIGIT } from '../value-signature.ts'

const SHAPE =
  /^[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y]{2}\d{2}$/

export default dataType({
  name: 'US_MEDICARE_MBI',
  summary: 'A Medicare beneficiary identifier of the United States: kinds of character by position.',
  category: 'HEALTH',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [11, 13], chars: DIGIT | ANY_UPPER | DASH, requires: DIGIT },
  keys: ['mbi', 'medicare', 'medicare number', 'medicare id', 'hicn', 'beneficiary id'],
  verify: (value, context) =>
    SHAPE.test(value) ? (context.named ? 98 : context.misleading ? 40 : value.includes('-') ? 92 : 75) : 0,
  cases: [
    { value: '1EG4-TE5-MK73', key: 'v', expect: true, because: 'the official example' },
    { value: '1EG4TE5MK73', key: 'medicareNumber', expect: true, because: 'without dashes' },
    { value: '1EG4-TE5-MK7X', key: 'mbi', expect: false, because: 'the last two are digits' },
    { value: '1SG4-TE5-MK73', key: 'mbi', expect: false, because: 'S is not used' },
  ],
})
