import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE, length: [35, 35] } as const

export default dataType({
  name: 'GOOGLE_API_KEY',
  summary: 'A key for the interfaces of Google.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [39, 39], starts: ['AIza'] },
  keys: ['google api key', 'maps key'],
  inText: true,
  verify: (value) => prefixedToken(value, 'AIza', BODY),
  cases: [
    {
      value: example('AIza', 'SyD3m0K9aZ7qW2eR5tY8uI1oP4aS6dF0gHj'),
      key: 'v',
      expect: true,
      because: 'prefix and 35 characters',
    },
    {
      value: example('AIza', 'SyD3m0K9aZ7qW2eR5tY8uI1oP4aS6dF0g'),
      key: 'v',
      expect: false,
      because: 'two characters short',
    },
    {
      value: example('AIza', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
      key: 'v',
      expect: false,
      because: 'a placeholder',
    },
  ],
})
