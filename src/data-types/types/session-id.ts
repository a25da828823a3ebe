import { dataType, RESPONSE_OR_URL } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'
import { DOT, EQUALS, PLUS, PUNCTUATION, SLASH, URL_SAFE } from '../value-signature.ts'

export default dataType({
  name: 'SESSION_ID',
  summary:
    'The identifier of a session, under a telling key. Expected in cookies, not in bodies or addresses.',
  category: 'TOKEN',
  severity: 'HIGH',
  sensitiveIn: RESPONSE_OR_URL.filter((location) => location !== 'SET_COOKIE'),
  evidence: 'NAME',
  mayMatch: { length: [16, 512], chars: URL_SAFE | DOT | EQUALS | PLUS | SLASH | PUNCTUATION },
  keys: [
    'session',
    'session id',
    'sessionid',
    'sid',
    'jsessionid',
    'phpsessid',
    'connect sid',
    'session key',
    'session token',
    'sessid',
    'sitzung',
  ],
  needsKey: true,
  verify: (value) => (looksRandom(value) && /\d/.test(value) && !value.includes(' ') ? 80 : 0),
  cases: [
    {
      value: '0A1B2C3D4E5F60718293A4B5C6D7E8F9',
      key: 'JSESSIONID',
      expect: true,
      because: 'random under a telling key',
    },
    {
      value: 's%3Aj4Kd9sLq2mXz8vBn1cTf',
      key: 'connect.sid',
      expect: true,
      because: 'signed cookie of Express',
    },
    { value: 'morning-session-track-a', key: 'session', expect: false, because: 'words' },
    { value: '0A1B2C3D4E5F60718293A4B5C6D7E8F9', key: 'etag', expect: false, because: 'nothing names it' },
  ],
})
