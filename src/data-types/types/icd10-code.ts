import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, DIGIT, DOT } from '../value-signature.ts'

const SHAPE = /^[A-TV-Z]\d[0-9AB](?:\.?[0-9A-Z]{1,4})?$/

export default dataType({
  name: 'ICD10_CODE',
  summary: 'A diagnosis code (ICD-10), under a telling key.',
  category: 'HEALTH',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [3, 8], chars: ALPHANUMERIC | DOT, requires: DIGIT },
  keys: [
    'icd',
    'icd10',
    'icd code',
    'diagnosis',
    'diagnosis code',
    'diagnose',
    'diagnostico',
    'diagnostic code',
    'condition code',
  ],
  needsKey: true,
  verify: (value) => (SHAPE.test(value) ? 90 : 0),
  cases: [
    { value: 'E11.9', key: 'diagnosisCode', expect: true, because: 'diabetes' },
    { value: 'J45', key: 'icd10', expect: true, because: 'three characters' },
    { value: 'U2', key: 'diagnosis', expect: false, because: 'too short' },
    { value: 'E11.9', key: 'version', expect: false, because: 'nothing names it' },
  ],
})
