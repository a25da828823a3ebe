import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

const SHAPE = /^(?:EAAA[A-Za-z0-9+=_-]{56,70}|sq0(?:csp|atp|idp)-[\w-]{22,43}|sandbox-sq0csb-[\w-]{43})$/

export default dataType({
  name: 'SQUARE_TOKEN',
  summary: 'An access token or secret of Square.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [29, 80], starts: ['EAAA', 'sq0csp-', 'sq0atp-', 'sq0idp-', 'sandbox-sq0csb-'] },
  inText: true,
  verify: (value) => (SHAPE.test(value) && /\d/.test(value.slice(7)) && looksRandom(value.slice(7)) ? 96 : 0),
  cases: [
    {
      value: example('sq0csp-', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu'),
      key: 'v',
      expect: true,
      because: 'a secret',
    },
    {
      value: example('EAAA', 'Ex7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8De'),
      key: 'v',
      expect: true,
      because: 'an access token',
    },
    { value: 'sq0csp-is-a-prefix-of-square-keys!', key: 'v', expect: false, because: 'words' },
  ],
})
