import { isOneDigitRepeated } from '../checksums.ts'
import { dataType, RESPONSE_OR_URL } from '../data-type.ts'
import { ANY, LINE } from '../value-signature.ts'

const WORDS_ABOUT = new Set([
  'true',
  'false',
  'null',
  'none',
  'undefined',
  'password',
  'required',
  'optional',
  'string',
])
const TIME = /^\d{4}-\d{2}-\d{2}[T ]/

export default dataType({
  name: 'PASSWORD',
  summary:
    'A password or pass phrase, by the name of its key. Expected in a login request, not in answers or addresses.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: RESPONSE_OR_URL,
  evidence: 'NAME',
  mayMatch: { length: [3, 256], chars: ANY & ~LINE },
  keys: [
    'password',
    'passwd',
    'pwd',
    'passphrase',
    'pass phrase',
    'passcode',
    'pass',
    'userpass',
    'kennwort',
    'passwort',
    'motdepasse',
    'mot de passe',
    'mdp',
    'contrasena',
    'clave',
    'senha',
    'wachtwoord',
    'haslo',
    'losenord',
    'salasana',
  ],
  needsKey: true,
  verify(value) {
    if (WORDS_ABOUT.has(value.toLowerCase()) || isOneDigitRepeated(value) || TIME.test(value)) return 0
    if (value.startsWith('/') || value.includes('://')) return 0
    return value.split(' ').length > 6 ? 0 : 80
  },
  cases: [
    { value: 'victim123', key: 'password', expect: true, because: 'named' },
    {
      value: 'a62e7be0a564081b6a9f75308208c433',
      key: 'password',
      expect: true,
      because: 'a hash is a secret too',
    },
    { value: 'correct horse battery staple', key: 'passphrase', expect: true, because: 'words with blanks' },
    { value: '********', key: 'password', expect: false, because: 'masked' },
    { value: 'true', key: 'password', expect: false, because: 'a flag' },
    {
      value: '2023-03-09T14:46:29Z',
      key: 'passwordUpdatedAt',
      expect: false,
      because: 'speaks about the password',
    },
    { value: '/reset/password', key: 'password', expect: false, because: 'a path' },
    { value: 'victim123', key: 'nickname', expect: false, because: 'nothing names it' },
  ],
})
