import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { ALPHANUMERIC, entropyPerChar, PLUS, SLASH } from '../value-signature.ts'

export default dataType({
  name: 'AWS_SECRET_ACCESS_KEY',
  summary: 'A secret access key of Amazon Web Services: forty random base64 characters under a telling key.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'NAME',
  mayMatch: { length: [40, 40], chars: ALPHANUMERIC | PLUS | SLASH },
  keys: [
    'aws secret',
    'secret access key',
    'aws secret key',
    'aws secret access key',
    'secret key',
    'secretaccesskey',
  ],
  needsKey: true,
  verify: (value) => (entropyPerChar(value) >= 4 && !/^[0-9a-f]+$/.test(value) ? 94 : 0),
  cases: [
    {
      value: example('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'),
      key: 'aws_secret_access_key',
      expect: true,
      because: 'the documented example',
    },
    {
      value: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      key: 'secretAccessKey',
      expect: false,
      because: 'a hash',
    },
    {
      value: example('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'),
      key: 'etag',
      expect: false,
      because: 'nothing names it',
    },
  ],
})
