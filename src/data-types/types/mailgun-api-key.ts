import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

export default dataType({
  name: 'MAILGUN_API_KEY',
  summary: 'A key of Mailgun.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [36, 36], starts: ['key-'] },
  inText: true,
  verify: (value) => (/^key-[0-9a-f]{32}$/.test(value) && looksRandom(value.slice(4)) ? 93 : 0),
  cases: [
    {
      value: example('key-', '0f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'v',
      expect: true,
      because: '32 hex digits',
    },
    { value: 'key-to-the-kingdom-of-far-far-away-x', key: 'v', expect: false, because: 'words' },
  ],
})
