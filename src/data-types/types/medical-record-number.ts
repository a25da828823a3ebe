import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, DASH, DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'MEDICAL_RECORD_NUMBER',
  summary: 'The number of a medical record, under a telling key.',
  category: 'HEALTH',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [5, 20], chars: ALPHANUMERIC | DASH, requires: DIGIT },
  keys: [
    'mrn',
    'medical record',
    'medical record number',
    'patient number',
    'patient id',
    'chart number',
    'patientennummer',
  ],
  needsKey: true,
  verify: (value) =>
    /\d{4}/.test(value) && !/^\d{4}-\d\d-\d\d/.test(value) && !/^[0-9a-f]{8}-/i.test(value) ? 78 : 0,
  cases: [
    { value: 'MRN-0048213', key: 'mrn', expect: true, because: 'named' },
    { value: '0048213', key: 'medicalRecordNumber', expect: true, because: 'digits' },
    { value: 'none', key: 'mrn', expect: false, because: 'a word' },
    { value: '0048213', key: 'quantity', expect: false, because: 'nothing names it' },
  ],
})
