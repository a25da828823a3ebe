import { dataType, example } from '../data-type.ts'

const SHAPE = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@]{1,200}:([^\s/?#@]{1,200})@[^\s/?#@]+/i
const PLACEHOLDER = /^(?:\*+|x+|<.*>|\$?\{.*\}|password|pass|pwd|secret)$/i

export default dataType({
  name: 'BASIC_AUTH_URL',
  summary: 'A URL with user name and password in it.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [12, 2048],
    starts: [
      'http://',
      'https://',
      'ftp://',
      'ftps://',
      'sftp://',
      'ssh://',
      'git://',
      'ldap://',
      'smtp://',
      'ws://',
      'wss://',
    ],
  },
  inText: true,
  verify(value) {
    const password = SHAPE.exec(value)?.[1]
    return password === undefined || PLACEHOLDER.test(password) ? 0 : 96
  },
  cases: [
    {
      value: example('https://ann:s3cret', '@shop.test/feed'),
      key: 'url',
      expect: true,
      because: 'both before the host',
    },
    { value: example('ftp://ann:s3cret', '@files.shop.test'), key: 'v', expect: true, because: 'FTP' },
    { value: 'https://shop.test/@ann:post', key: 'url', expect: false, because: 'in the path' },
    { value: 'https://user:password@shop.test', key: 'url', expect: false, because: 'a placeholder' },
    { value: 'https://ann@shop.test', key: 'url', expect: false, because: 'no password' },
  ],
})
