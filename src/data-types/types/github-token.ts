import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { hasBase62Crc, isMadeOf, looksRandom, withBase62Crc } from '../secret-shape.ts'
import { ALPHANUMERIC, UNDERSCORE } from '../value-signature.ts'

const CHECKED_BODY = 36

export default dataType({
  name: 'GITHUB_TOKEN',
  summary: 'A GitHub token; classic ones end in the CRC-32 of their body.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [40, 255], starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'] },
  keys: ['github token', 'github pat', 'gh token'],
  inText: true,
  verify(value) {
    if (value.startsWith('github_pat_')) {
      const body = value.slice(11)
      return body.length >= 71 && isMadeOf(body, ALPHANUMERIC | UNDERSCORE) && looksRandom(body) ? 96 : 0
    }
    const body = value.slice(4)
    if (!isMadeOf(body, ALPHANUMERIC) || !looksRandom(body)) return 0
    if (body.length === CHECKED_BODY) return hasBase62Crc(value, 4) ? 100 : 40
    return body.length >= 70 ? 85 : 0
  },
  cases: [
    {
      value: withBase62Crc('ghp_', 'zQ81BuTSOoRi4A9spHcVY5ncnsDkxk'),
      key: 'v',
      expect: true,
      because: 'checksum holds',
    },
    {
      value: `deploy with ${withBase62Crc('gho_', 'a7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0L')} today`,
      key: 'note',
      expect: true,
      because: 'inside a text',
    },
    {
      value: example('ghp_', 'zQ81BuTSOoRi4A9spHcVY5ncnsDkxk000000'),
      key: 'v',
      expect: false,
      because: 'wrong checksum',
    },
    { value: example('ghp_', 'x'.repeat(36)), key: 'token', expect: false, because: 'a placeholder' },
    { value: 'ghp_is_a_prefix_that_github_uses_for_tokens', key: 'text', expect: false, because: 'words' },
  ],
})
