import { crc32 } from 'node:zlib'
import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

const SHAPE = /^AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{24,400}$/

export default dataType({
  name: 'ATLASSIAN_TOKEN',
  summary: 'A token of Atlassian or Bitbucket; the long form ends in the CRC-32 of its body.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [28, 420], starts: ['ATATT3', 'ATCTT3', 'ATBB'] },
  keys: ['atlassian token', 'jira token', 'bitbucket token'],
  inText: true,
  verify(value) {
    if (!SHAPE.test(value) || !looksRandom(value.slice(6))) return 0
    const border = value.lastIndexOf('=')
    if (border > 0 && Number.parseInt(value.slice(border + 1), 16) === crc32(value.slice(0, border)))
      return 100
    return value.startsWith('ATATT3xFfGF0') || value.startsWith('ATCTT3xFfGN0') ? 94 : 75
  },
  cases: [
    {
      value: example('ATATT3xFfGF0', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2=A1B2C3D4'),
      key: 'v',
      expect: true,
      because: 'an account',
    },
    {
      value: example('ATBB', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2'),
      key: 'v',
      expect: true,
      because: 'Bitbucket',
    },
    { value: 'ATBBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', key: 'v', expect: false, because: 'a placeholder' },
  ],
})
