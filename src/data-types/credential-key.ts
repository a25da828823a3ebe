import { keyWords } from './key-words.ts'

/** Last words of a key whose value is a credential. */
const CREDENTIAL =
  /(?:^| )(?:token|secret|(?:api|app|access|private|secret|signing|encryption|master|auth|subscription) ?key|sig(?:nature)?|amz credential|jwt|sid|sess(?:ion)? ?id|session|jsessionid|phpsessid|credentials?)$/
/** Tokens that prove nobody's identity. */
const POSITION = /(?:^| )(?:next|prev(?:ious)?|page|continu\w*|cursor|sync) /
const MAX_CACHED = 10_000
const known = new Map<string, boolean>()

/** True when a key of a query, a form or a document names a credential, as `access_token` and `apiKey` do. */
function isCredentialKey(key: string): boolean {
  const found = known.get(key)
  if (found !== undefined) return found
  const words = keyWords(key.slice(0, 200)).join(' ')
  const isOne = CREDENTIAL.test(words) && !POSITION.test(words)
  if (known.size >= MAX_CACHED) known.clear()
  known.set(key, isOne)
  return isOne
}

const MIN_LENGTH = 6
const MIN_WORD = 16

/**
 * True when the key names a credential and the value can be one: data types judge the value, this goes by the name, for
 * credentials of no known form.
 */
export function isNamedCredential(key: string, value: unknown): boolean {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length < MIN_LENGTH || /\s/.test(text)) return false
  // `"token": "string"` and `"token": "required"` speak about a credential.
  return (/\d/.test(text) || text.length >= MIN_WORD) && isCredentialKey(key)
}
