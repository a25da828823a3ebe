/** Longest text that is searched for tokens. */
const MAX_LENGTH = 100_000

/** Whether some word of a text is a JSON Web Token (RFC 7519): three parts, header and claims JSON objects, with `alg`. */
export function hasJwt(text: string): boolean {
  return text
    .slice(0, MAX_LENGTH)
    .split(/[\s;,="']+/)
    .some(isJwt)
}

function isJwt(word: string): boolean {
  const parts = word.split('.')
  if (parts.length !== 3) return false
  const header = objectIn(parts[0]!)
  return header !== null && 'alg' in header && objectIn(parts[1]!) !== null
}

/** Both base64 alphabets are accepted. */
function objectIn(part: string): object | null {
  if (!/^[\w+/=-]+$/.test(part)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null // no JSON, so no token
  }
}
