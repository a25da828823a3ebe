import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DOT, URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE | DOT, length: [120, 1500] } as const

export default dataType({
  name: 'DROPBOX_TOKEN',
  summary: 'A short-lived token of Dropbox.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [123, 1503], starts: ['sl.'] },
  inText: true,
  verify: (value) => prefixedToken(value, 'sl.', BODY),
  cases: [
    {
      value: example(
        'sl.',
        'Bx7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8De0Fg2Hi4Jk6Lm8No0Pq2Rs4Tu6Vw8Xy0Za2Bc4De6Fg8Hi0Jk2Lm4No6Pq8Rs0Tu2Vw4',
      ),
      key: 'v',
      expect: true,
      because: 'prefix and long body',
    },
    { value: example('sl.', 'wikipedia.org'), key: 'v', expect: false, because: 'a host' },
  ],
})
