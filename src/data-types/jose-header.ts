const MAX_HEADER_CHARS = 1024
const MAX_REMEMBERED = 1000

/** What matters of a token's header. */
interface JoseHeader {
  readonly alg: string
}

/** The same few headers occur in all tokens of an API; null marks a text that is not one. */
const remembered = new Map<string, JoseHeader | null>()

/**
 * The JOSE header of a compact token (RFC 7515 section 7.1): the part before the first dot, base64url of a JSON object
 * with `alg`. Undefined when it is none. `start` is where the token
 * begins in the text. Answers for headers seen before come from memory (bounded).
 */
export function joseHeaderOf(text: string, start = 0): JoseHeader | undefined {
  const firstDot = text.indexOf('.', start)
  if (firstDot < start + 8 || firstDot > start + MAX_HEADER_CHARS) return undefined
  const encoded = text.slice(start, firstDot)
  let header = remembered.get(encoded)
  if (header === undefined) {
    header = decode(encoded)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(encoded, header)
  }
  return header ?? undefined
}

function decode(encoded: string): JoseHeader | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    if (typeof header !== 'object' || header === null || !('alg' in header)) return null
    return typeof header.alg === 'string' ? { alg: header.alg } : null
  } catch {
    // Not JSON: some other text that begins like base64 of `{"`.
    return null
  }
}
