/** Types that a parameter segment shows on the wire. */
export type ParamType = 'INTEGER' | 'FLOAT' | 'OBJECT_ID' | 'STRING'

/** What a value looks like; the type is what the wire shows, the form is the finer attribute. */
export type StrongForm =
  | 'integer'
  | 'float'
  | 'objectId'
  | 'uuid'
  | 'hex'
  | 'ulid'
  | 'date'
  | 'email'
  | 'jwt'
  | 'ip'
  | 'phone'
  | 'opaque'
  | 'list'

const INTEGER = /^-?\d{1,18}$/
const FLOAT = /^-?(?:\d{1,15}\.\d{1,15}|\d{19,40})$/
const HEX_24 = /^[0-9a-fA-F]{24}$/
const UUID_INSIDE = /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/
const HEX = /^(?:0x)?[0-9a-fA-F]{16,}$/
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const DATE = /^\d{4}-(?:0\d|1[0-2])-[0-3]\d(?:T[\d:.]{4,15}(?:Z|[+-][\d:]{4,5})?)?$/
const EMAIL = /^[\w.+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}$/
const JWT = /^eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*$/
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/
const IPV6 = /^(?=.*:.*:)[0-9a-fA-F:.]{3,45}$/
const PHONE = /^\+\d{7,15}$/
const URL_SAFE = /^[\w.~=-]+$/
const VERSION =
  /^v\d{1,3}(?:[._]\d{1,3}){0,2}(?:[._-]?(?:alpha|beta|preview|rc|p)\d{0,3}(?:[._-]?\d{1,3})?)?$/i
const BARE_VERSION = /^\d{1,2}(?:\.\d{1,2})?$/
/** Segments after which a small number is a version of the interface: `/api/3/action`. */
const VERSION_PARENTS = new Set(['api', 'rest', 'version', 'apis', 'ws'])

/** Values longer than this are not looked at in detail. */
const MAX_JUDGED_LENGTH = 2048
const OPAQUE_LENGTH = 20
const OPAQUE_ENTROPY = 3.5

/** The form of a token that is certainly a value, or null for a weak token (a word, a slug, a short code). */
export function strongForm(token: string): StrongForm | null {
  const first = token.charCodeAt(0)
  const length = token.length
  if (length > MAX_JUDGED_LENGTH) return 'opaque'
  const startsWithDigit = (first >= 48 && first <= 57) || first === 45
  if (startsWithDigit && INTEGER.test(token)) return 'integer'
  if (length < 4) return startsWithDigit && FLOAT.test(token) ? 'float' : null
  const text = token.includes('%') ? decoded(token) : token
  if (startsWithDigit) {
    if (FLOAT.test(text)) return 'float'
    if (DATE.test(text)) return 'date'
    if (IPV4.test(text)) return 'ip'
  }
  if (length >= 16) {
    if (HEX_24.test(text)) return 'objectId'
    if (HEX.test(text) && /\d/.test(text)) return 'hex'
    if (length >= 36 && UUID_INSIDE.test(text)) return 'uuid'
    if (ULID.test(text) && /\d/.test(text)) return 'ulid'
    if (first === 101 && JWT.test(text)) return 'jwt'
  }
  if (text.includes('@') && EMAIL.test(text)) return 'email'
  if (text.includes(':') && IPV6.test(text)) return 'ip'
  if (first === 43 || text.charCodeAt(0) === 43) return PHONE.test(text) ? 'phone' : null
  if (text.includes(',')) return isValueList(text) ? 'list' : null
  return isOpaque(text) ? 'opaque' : null
}

/** The wire type of a form. */
function typeOfForm(form: StrongForm): ParamType {
  if (form === 'integer') return 'INTEGER'
  if (form === 'float') return 'FLOAT'
  return form === 'objectId' ? 'OBJECT_ID' : 'STRING'
}

/** The wire type of a strong token, null for a weak one. */
export function strongType(token: string): ParamType | null {
  const form = strongForm(token)
  return form === null ? null : typeOfForm(form)
}

/**
 * True for tokens that name a version of the interface and never a value: `v1`, `v2beta1`, a number after `api`, a
 * date or decimal number as the very first segment.
 *
 * @param parent the segment before, '' for the first one
 * @param isLast no segment follows
 */
export function isVersion(token: string, parent: string, isLast: boolean): boolean {
  const first = token.charCodeAt(0)
  if (first === 118 || first === 86) return VERSION.test(token)
  if (isLast || first < 48 || first > 57) return false
  if (parent === '') return DATE.test(token) || (token.includes('.') && BARE_VERSION.test(token))
  return BARE_VERSION.test(token) && leadsToVersion(parent, token.includes('.'))
}

/** `api` before a number; before a decimal one also a name that has it as a part (`api.xro`, `webapi`). */
function leadsToVersion(parent: string, isDecimal: boolean): boolean {
  const lower = parent.toLowerCase()
  if (VERSION_PARENTS.has(lower)) return true
  return (
    isDecimal && (lower.endsWith('api') || lower.split(/[._-]/, 4).some((part) => VERSION_PARENTS.has(part)))
  )
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    // Not valid percent-encoded UTF-8: judged as it stands.
    return token
  }
}

function isValueList(text: string): boolean {
  const parts = text.split(',', 20)
  return (
    parts.length > 1 && parts.every((part) => part !== '' && !part.includes(',') && strongForm(part) !== null)
  )
}

/** Long machine-made tokens: many changes between letters and digits, high entropy. */
function isOpaque(text: string): boolean {
  if (text.length < OPAQUE_LENGTH || !URL_SAFE.test(text)) return false
  let changes = 0
  let digits = 0
  let cases = 0
  let previous = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind =
      code >= 48 && code <= 57 ? 1 : code >= 97 && code <= 122 ? 2 : code >= 65 && code <= 90 ? 3 : 0
    if (kind === 1) digits++
    if (kind !== 0 && previous !== 0 && kind !== previous) {
      changes++
      if (kind === 2 && previous === 3) cases++
    }
    previous = kind
  }
  // camelCase changes come in pairs (aB, Bc): they are not a sign of a machine.
  return digits >= 2 && changes - 2 * cases >= 4 && entropy(text) > OPAQUE_ENTROPY
}

/** Shannon entropy of the signs of a text, in bits per sign. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) {
    const share = count / text.length
    bits -= share * Math.log2(share)
  }
  return bits
}
