import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { ALPHANUMERIC, DASH, EQUALS, PLUS, SLASH, UNDERSCORE } from '../value-signature.ts'

/** Identifiable keys of Azure: a fixed signature near the end, by length. */
const SHAPES: readonly RegExp[] = [
  /^[A-Za-z0-9/+]{76}(?:APIM|ACDb|\+(?:ABa|AMC|ASt))[A-Za-z0-9/+]{5}[AQgw]==$/,
  /^[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==$/,
  /^[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}$/,
  /^[A-Za-z0-9/+]{42}\+ACR[A-D][A-Za-z0-9/+]{5}$/,
  /^[A-Za-z0-9/+]{33}(?:AIoT|\+(?:ASb|AEh|ARm))[A-P][A-Za-z0-9/+]{5}=$/,
  /^[A-Za-z0-9]{33}AzCa[A-P][A-Za-z0-9]{5}=$/,
]

export default dataType({
  name: 'AZURE_KEY',
  summary:
    'A key of Azure (Storage, Batch, Functions, Search, Container Registry, Redis, Service Bus) by its signature.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [44, 88], chars: ALPHANUMERIC | PLUS | SLASH | EQUALS | DASH | UNDERSCORE },
  keys: ['azure key', 'account key', 'storage key', 'function key'],
  inText: true,
  verify: (value) => (SHAPES.some((shape) => shape.test(value)) ? 97 : 0),
  cases: [
    {
      value: example('x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8T', 'AzSe', 'A1b2c3'),
      key: 'v',
      expect: true,
      because: 'Search',
    },
    {
      value: example('x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2N', 'AzCa', 'A1b2c3='),
      key: 'v',
      expect: true,
      because: 'Redis',
    },
    {
      value: example('x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8T', 'AbSe', 'A1b2c3'),
      key: 'v',
      expect: false,
      because: 'no signature',
    },
    { value: 'a'.repeat(52), key: 'v', expect: false, because: 'a placeholder' },
  ],
})
