import { crc32 } from 'node:zlib'
import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

const LONG = /^AT(?:ATT|CTT)3[A-Za-z0-9_=-]{40,400}=[0-9A-F]{8}$/
const BITBUCKET = /^ATBB[A-Za-z0-9]{24,40}$/

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
    if (BITBUCKET.test(value)) return /\d/.test(value) && looksRandom(value.slice(4)) ? 85 : 0
    if (!LONG.test(value)) return 0
    const border = value.lastIndexOf('=')
    return Number.parseInt(value.slice(border + 1), 16) === crc32(value.slice(0, border)) ? 100 : 70
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
