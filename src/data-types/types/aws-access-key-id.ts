import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { isMadeOf, looksRandom } from '../secret-shape.ts'
import { ANY_UPPER, DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'AWS_ACCESS_KEY_ID',
  summary: 'An access key id of Amazon Web Services: four-letter kind and 16 characters.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [20, 20], starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'] },
  keys: ['aws access key', 'access key id', 'aws key'],
  inText: true,
  verify: (value) => (isMadeOf(value, ANY_UPPER | DIGIT) && looksRandom(value.slice(4)) ? 97 : 0),
  cases: [
    {
      value: example('AKIA', 'IOSFODNN7EXAMPLE'),
      key: 'accessKeyId',
      expect: true,
      because: 'the documented example',
    },
    { value: example('ASIA', 'Y34FZKBOKMUTVV7A'), key: 'v', expect: true, because: 'a temporary key' },
    { value: example('AKIA', 'XXXXXXXXXXXXXXXX'), key: 'v', expect: false, because: 'a placeholder' },
    { value: example('AKIA', 'IOSFODNN7EXAMPL'), key: 'v', expect: false, because: 'one character short' },
    { value: 'AKIAIosfodnn7exampl3', key: 'v', expect: false, because: 'lower-case letters do not occur' },
  ],
})
