import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'
import { ANY_LOWER, DASH, DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'MAILCHIMP_API_KEY',
  summary: 'A key of Mailchimp: 32 hex digits and the data centre.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [36, 37], chars: DIGIT | ANY_LOWER | DASH, requires: DASH | DIGIT },
  inText: true,
  verify: (value) => (/^[0-9a-f]{32}-us\d{1,2}$/.test(value) && looksRandom(value.slice(0, 32)) ? 97 : 0),
  cases: [
    {
      value: example('0f4c2e7a9b1d3856e0a2c4f6d8b17395', '-us14'),
      key: 'v',
      expect: true,
      because: 'with the data centre',
    },
    {
      value: '0f4c2e7a9b1d3856e0a2c4f6d8b17395-eu14',
      key: 'v',
      expect: false,
      because: 'no such data centre',
    },
  ],
})
