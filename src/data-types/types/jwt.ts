import { dataType, example, RESPONSE_OR_URL } from '../data-type.ts'
import { joseHeaderOf } from '../jose-header.ts'
import { isMadeOf } from '../secret-shape.ts'
import { EQUALS, PLUS, SLASH, URL_SAFE } from '../value-signature.ts'

export default dataType({
  name: 'JWT',
  summary: 'A JSON Web Token in compact form, URL-safe or standard base64, signed, unsigned or encrypted.',
  category: 'TOKEN',
  severity: 'HIGH',
  // In the Authorization header it is where it belongs, and where tools mask it; see `type-rules.ts`.
  sensitiveIn: [...RESPONSE_OR_URL, 'COOKIE', 'REQUEST_HEADER'],
  evidence: 'PROOF',
  mayMatch: { length: [20, 16_384], starts: ['ey'] },
  keys: ['jwt', 'id token', 'access token', 'bearer', 'assertion'],
  inText: true,
  verify(value) {
    const parts = value.split('.', 6)
    if (parts.length !== 3 && parts.length !== 5) return 0
    if (!parts.every((part) => isMadeOf(part, URL_SAFE | EQUALS | PLUS | SLASH))) return 0
    const header = joseHeaderOf(value)
    if (header === undefined || parts[1] === '') return 0
    return parts[2] === '' && header.alg.toLowerCase() !== 'none' ? 50 : 98
  },
  cases: [
    {
      value: example('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiI0MiJ9', '.c2lnbmF0dXJlLWJ5dGVz'),
      key: 'token',
      expect: true,
      because: 'header with alg, claims, signature',
    },
    {
      value: example('Bearer eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiI0MiJ9', '.c2lnbmF0dXJlLWJ5dGVz'),
      key: 'authorization',
      location: 'REQUEST_HEADER',
      expect: true,
      because: 'after the scheme of a header',
    },
    {
      value: example('eyJhbGciOiJub25lIn0', '.eyJzdWIiOiI0MiJ9.'),
      key: 't',
      expect: true,
      because: 'unsigned, alg none',
    },
    {
      value: example('eyJmb28iOiJiYXIifQ', '.eyJzdWIiOiI0MiJ9', '.c2lnbmF0dXJl'),
      key: 't',
      expect: false,
      because: 'no alg',
    },
    { value: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9', key: 't', expect: false, because: 'two parts' },
    { value: 'eye.of.the.tiger.song', key: 'slug', expect: false, because: 'words with dots' },
  ],
})
