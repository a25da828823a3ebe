import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE, length: [50, 300] } as const
const PREFIXES = ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'] as const

export default dataType({
  name: 'PYPI_TOKEN',
  summary: 'An upload token of the Python package index: a macaroon for its host.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [70, 327], starts: PREFIXES },
  inText: true,
  verify: (value) =>
    Math.max(
      ...PREFIXES.map((prefix) => (value.startsWith(prefix) ? prefixedToken(value, prefix, BODY) : 0)),
    ),
  cases: [
    {
      value: example('pypi-AgEIcHlwaS5vcmc', 'CJDx7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8'),
      key: 'v',
      expect: true,
      because: 'prefix and body',
    },
    { value: example('pypi-', 'server-2.1'), key: 'v', expect: false, because: 'a package' },
  ],
})
