import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { URL_SAFE } from '../value-signature.ts'

/** Prefixes and the bodies that follow them. */
const FORMS = [
  ['dckr_pat_', { chars: URL_SAFE, length: [27, 27] }],
  ['dckr_oat_', { chars: URL_SAFE, length: [27, 40] }],
] as const

export default dataType({
  name: 'DOCKER_HUB_TOKEN',
  summary: 'An access token of Docker Hub.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [36, 49], starts: FORMS.map(([prefix]) => prefix) },
  inText: true,
  verify: (value) =>
    Math.max(
      ...FORMS.map(([prefix, body]) => (value.startsWith(prefix) ? prefixedToken(value, prefix, body) : 0)),
    ),
  cases: [
    {
      value: example('dckr_pat_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8J'),
      key: 'v',
      expect: true,
      because: '27 characters',
    },
    { value: example('dckr_pat_', 'x7K2mNq9'), key: 'v', expect: false, because: 'too short' },
  ],
})
