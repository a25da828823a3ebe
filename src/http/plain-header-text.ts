/** Longer texts are read the general way. */
const MAX_LENGTH = 16_384
const buffer = Buffer.alloc(MAX_LENGTH + 1)
const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, MAX_LENGTH + 1)

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
const FIRST_PRINTABLE = 0x20

/** Header names met so far, by a hash of their bytes; the latest of two with one hash stays. */
const SLOTS = 1024
const names = new Array<string>(SLOTS).fill('')
/** Longer names are not remembered. */
const MAX_NAME = 64

/**
 * The flat header list of JSON text in its plainest form: ASCII, no blanks between signs, no escapes. Undefined when it
 * is not that, whatever else it may be. Live traffic hardly brings anything else, and bytes are read several times
 * faster than the characters of a string. Equal names are one and the same text.
 */
export function readPlainHeaderText(text: string): string[] | undefined {
  const { length } = text
  if (length > MAX_LENGTH || buffer.write(text, 0, 'utf8') !== length) return undefined
  bytes[length] = 0
  if (bytes[0] !== OPEN) return undefined
  const list: string[] = []
  for (let at = 1; ; at++) {
    if (bytes[at] !== QUOTE) return undefined
    let hash = 0
    let end = at + 1
    for (;;) {
      const code = bytes[end]!
      if (code === QUOTE) break
      if (code < FIRST_PRINTABLE || code === BACKSLASH) return undefined
      hash = (Math.imul(hash, 31) + code) | 0
      end++
    }
    const name = nameAt(text, at + 1, end, hash)
    if (bytes[end + 1] !== COLON || bytes[end + 2] !== QUOTE) return undefined
    const start = end + 3
    end = start
    for (;;) {
      const code = bytes[end]!
      if (code === QUOTE) break
      if (code < FIRST_PRINTABLE || code === BACKSLASH) return undefined
      end++
    }
    list.push(name, text.slice(start, end))
    at = end + 1
    if (bytes[at] !== COMMA) return bytes[at] === CLOSE && at + 1 === length ? list : undefined
  }
}

function nameAt(text: string, start: number, end: number, hash: number): string {
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  const known = names[slot]!
  if (known.length === end - start) {
    let i = 0
    while (i < known.length && known.charCodeAt(i) === bytes[start + i]) i++
    if (i === known.length) return known
  }
  const name = text.slice(start, end)
  if (name.length > MAX_NAME) return name
  // A copy with its own characters: a slice would keep the whole text in memory.
  const own = Buffer.from(name, 'latin1').toString('latin1')
  names[slot] = own
  return own
}
