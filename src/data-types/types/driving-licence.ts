import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, DASH, DIGIT, SPACE } from '../value-signature.ts'

export default dataType({
  name: 'DRIVING_LICENCE',
  summary: 'The number of a driving licence, under a telling key.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [5, 20], chars: ALPHANUMERIC | DASH | SPACE, requires: DIGIT },
  keys: [
    'driving licence',
    'driving license',
    'driver licence',
    'driver license',
    'drivers license',
    'drivers licence',
    'dl number',
    'licence number',
    'license number',
    'fuhrerschein',
    'permis de conduire',
    'licencia de conducir',
    'patente',
    'rijbewijs',
    'korkort',
    'ajokortti',
  ],
  needsKey: true,
  verify: (value) => ((value.match(/\d/g) ?? []).length >= 4 && !/^\d{4}-\d\d-\d\d$/.test(value) ? 78 : 0),
  cases: [
    { value: 'MORGA753116SM9IJ', key: 'drivingLicence', expect: true, because: 'a British one' },
    { value: 'D1234567', key: 'driver_license', expect: true, because: 'a Californian one' },
    { value: '2027-03-09', key: 'drivingLicence', expect: false, because: 'a date' },
    { value: 'D1234567', key: 'batch', expect: false, because: 'nothing names it' },
  ],
})
