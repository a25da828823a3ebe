import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DOT, URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE | DOT, length: [66, 66] } as const

export default dataType({
  name: 'SENDGRID_API_KEY',
  summary: 'A key of SendGrid.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [69, 69], starts: ['SG.'] },
  inText: true,
  verify: (value) => prefixedToken(value, 'SG.', BODY),
  cases: [
    {
      value: example('SG.', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef', '.5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8De0Fg2Hi4'),
      key: 'v',
      expect: true,
      because: '22 and 43 characters',
    },
    { value: example('SG.', '500 bears'), key: 'v', expect: false, because: 'a word' },
  ],
})
