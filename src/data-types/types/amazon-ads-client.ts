import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DIGIT, HEX_LOWER } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['amzn1.application-oa2-client.', { chars: DIGIT | HEX_LOWER, length: [32, 32] }],
  ['amzn1.oa2-cs.v1.', { chars: DIGIT | HEX_LOWER, length: [64, 64] }],
] as const

export default dataType({
  name: 'AMAZON_ADS_CLIENT',
  summary: 'A client id or secret of the advertising and login interfaces of Amazon.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [61, 80], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('amzn1.application-oa2-client.', '0f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'v',
      expect: true,
      because: 'a client id',
    },
    { value: example('amzn1.account.', 'AF2'), key: 'v', expect: false, because: 'an account' },
  ],
})
