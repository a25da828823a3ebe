import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

export default dataType({
  name: 'POSTMAN_API_KEY',
  summary: 'A key of Postman: two groups of hex digits.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [64, 64], starts: ['PMAK-'] },
  inText: true,
  verify: (value) => (/^PMAK-[0-9a-f]{24}-[0-9a-f]{34}$/.test(value) && looksRandom(value.slice(5)) ? 97 : 0),
  cases: [
    {
      value: example('PMAK-', '0f4c2e7a9b1d3856e0a2c4f6', '-d8b173950f4c2e7a9b1d3856e0a2c4f6d8'),
      key: 'v',
      expect: true,
      because: 'both groups',
    },
    {
      value: example('PMAK-', '0f4c2e7a9b1d3856e0a2c4f6d8b173950f4c2e7a9b1d3856e0a2c4f6d8b'),
      key: 'v',
      expect: false,
      because: 'one group',
    },
  ],
})
