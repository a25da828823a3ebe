import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

export default dataType({
  name: 'TWILIO_KEY',
  summary: 'An account or key identifier of Twilio.',
  category: 'SECRET',
  severity: 'MEDIUM',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [34, 34], starts: ['AC', 'SK'] },
  keys: ['twilio', 'account sid', 'twilio sid', 'api key sid'],
  inText: true,
  verify: (value) => (/^(?:AC|SK)[0-9a-f]{32}$/.test(value) && looksRandom(value.slice(2)) ? 94 : 0),
  cases: [
    {
      value: example('AC', '0f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'accountSid',
      expect: true,
      because: 'an account',
    },
    { value: example('SK', '0f4c2e7a9b1d3856e0a2c4f6d8b17395'), key: 'v', expect: true, because: 'a key' },
    {
      value: example('AC', '0F4C2E7A9B1D3856E0A2C4F6D8B17395'),
      key: 'v',
      expect: false,
      because: 'capital hex digits',
    },
    { value: 'ACCOUNT-WITH-THIRTY-FOUR-LETTERS-X', key: 'v', expect: false, because: 'words' },
  ],
})
