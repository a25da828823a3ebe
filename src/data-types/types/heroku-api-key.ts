import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'
import { DASH, DIGIT, URL_SAFE } from '../value-signature.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export default dataType({
  name: 'HEROKU_API_KEY',
  summary: 'A key of Heroku: with its prefix, or a UUID under a key that names Heroku.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [36, 80], chars: URL_SAFE, requires: DASH | DIGIT },
  keys: ['heroku', 'heroku key', 'heroku api key'],
  verify(value, context) {
    if (value.startsWith('HRKU-')) return value.length >= 41 && looksRandom(value.slice(5)) ? 96 : 0
    return context.named && UUID.test(value) ? 90 : 0
  },
  cases: [
    {
      value: example('HRKU-', '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11'),
      key: 'v',
      expect: true,
      because: 'the prefix',
    },
    {
      value: '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11',
      key: 'herokuApiKey',
      expect: true,
      because: 'the key names Heroku',
    },
    { value: '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11', key: 'id', expect: false, because: 'any UUID' },
  ],
})
