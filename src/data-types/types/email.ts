import { dataType } from '../data-type.ts'
import {
  ALPHANUMERIC,
  AT,
  DASH,
  DOT,
  EQUALS,
  PLUS,
  PUNCTUATION,
  SLASH,
  UNDERSCORE,
} from '../value-signature.ts'

/** Last labels that are file names of assets (`logo@2x.png`), never top-level domains. */
const FILE_ENDINGS = new Set(['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'css', 'js', 'json', 'map', 'html'])
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/
const LABEL = /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/
const TOP_LEVEL = /^(?:[A-Za-z]{2,24}|xn--[a-z0-9-]{2,59})$/

export default dataType({
  name: 'EMAIL',
  summary: 'An e-mail address (RFC 5321), as a whole value or inside a text.',
  category: 'PERSON',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [6, 254],
    chars: ALPHANUMERIC | AT | DOT | DASH | PLUS | UNDERSCORE | EQUALS | SLASH | PUNCTUATION,
    requires: AT | DOT,
  },
  keys: ['email', 'e mail', 'mail', 'correo', 'courriel', 'sahkoposti', 'epost', 'umail'],
  inText: true,
  verify(value) {
    const at = value.lastIndexOf('@')
    const local = value.slice(0, at)
    if (!LOCAL.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..')) return 0
    const labels = value.slice(at + 1).split('.')
    const top = labels.pop()!
    if (labels.length === 0 || !TOP_LEVEL.test(top) || FILE_ENDINGS.has(top.toLowerCase())) return 0
    return labels.every((label) => LABEL.test(label) && !label.endsWith('-')) ? 97 : 0
  },
  cases: [
    { value: 'ann.lee@shop.test', key: 'contact', expect: true, because: 'a plain address' },
    {
      value: "o'neil+news@mail.example.co.uk",
      key: 'v',
      expect: true,
      because: 'plus tag, quote, deep domain',
    },
    {
      value: 'good app (***tim@gmail.com)',
      key: 'comment',
      expect: true,
      because: 'an address inside a text',
    },
    { value: 'logo@2x.png', key: 'icon', expect: false, because: 'an image for dense screens' },
    { value: 'left-pad@1.3.0', key: 'dependency', expect: false, because: 'a package version' },
    { value: 'ann@localhost', key: 'email', expect: false, because: 'no domain' },
    { value: 'a..b@shop.test', key: 'email', expect: false, because: 'two dots in a row are not allowed' },
  ],
})
