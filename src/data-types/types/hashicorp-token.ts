import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'
import { DOT, URL_SAFE } from '../value-signature.ts'

const TERRAFORM = /^[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,75}$/
/** 24 characters for the tokens of a server in development, many more for others. */
const VAULT = /^hv[sbr]\.(?=[\w-]*[A-Z0-9])(?:[\w-]{24}|[\w-]{80,200})$/

export default dataType({
  name: 'HASHICORP_TOKEN',
  summary: 'A token of Terraform Cloud or Vault.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [28, 210], chars: URL_SAFE | DOT, requires: DOT },
  keys: ['vault token', 'terraform token', 'tfe token'],
  inText: true,
  verify: (value) =>
    ((value.startsWith('hv') && VAULT.test(value)) || TERRAFORM.test(value)) && looksRandom(value) ? 97 : 0,
  cases: [
    {
      value: example(
        'x7K2mNq9Rt4Vx6',
        '.atlasv1.',
        'Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8De0Fg2Hi4Jk6Lm8No0Pq2Rs4',
      ),
      key: 'v',
      expect: true,
      because: 'Terraform',
    },
    { value: example('hvs.', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5G'), key: 'v', expect: true, because: 'Vault' },
    { value: 'hvs.example.com.not-a-token-at-all', key: 'v', expect: false, because: 'a host' },
  ],
})
