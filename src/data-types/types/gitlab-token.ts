import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { DOT, URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE | DOT, length: [20, 300] } as const
const PREFIXES = ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'gloas-'] as const

export default dataType({
  name: 'GITLAB_TOKEN',
  summary: 'A token of GitLab.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [25, 307], starts: PREFIXES },
  inText: true,
  verify: (value) =>
    Math.max(
      ...PREFIXES.map((prefix) => (value.startsWith(prefix) ? prefixedToken(value, prefix, BODY) : 0)),
    ),
  cases: [
    {
      value: example('glpat-', 'x7K2mNq9Rt4Vx6Zb1Cd3'),
      key: 'v',
      expect: true,
      because: 'a personal access token',
    },
    { value: example('glpat-', 'xxxxxxxxxxxxxxxxxxxx'), key: 'v', expect: false, because: 'a placeholder' },
    { value: example('glpat-', 'short'), key: 'v', expect: false, because: 'too short' },
  ],
})
