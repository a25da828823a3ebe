import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { hasBase62Crc, isMadeOf, looksRandom, withBase62Crc } from '../secret-shape.ts'
import { ALPHANUMERIC } from '../value-signature.ts'

export default dataType({
  name: 'NPM_TOKEN',
  summary: 'An access token of the npm registry; it ends in the CRC-32 of its body.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [40, 40], starts: ['npm_'] },
  keys: ['npm token'],
  inText: true,
  verify(value, context) {
    const body = value.slice(4)
    if (!isMadeOf(body, ALPHANUMERIC) || !looksRandom(body)) return 0
    return hasBase62Crc(value, 4) ? 100 : context.named ? 70 : 45
  },
  cases: [
    {
      value: withBase62Crc('npm_', 'a7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0L'),
      key: 'v',
      expect: true,
      because: 'checksum holds',
    },
    {
      value: example('npm_', 'a7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0L000000'),
      key: 'v',
      expect: false,
      because: 'wrong checksum',
    },
    { value: example('npm_', 'x'.repeat(36)), key: 'npmToken', expect: false, because: 'a placeholder' },
  ],
})
