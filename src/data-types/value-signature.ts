/** Bits of a value's signature: which kinds of character it holds. Digits and hex letters have their own bits. */
export const DIGIT = 1
export const HEX_LOWER = 1 << 1
export const LOWER = 1 << 2
export const HEX_UPPER = 1 << 3
export const UPPER = 1 << 4
export const DASH = 1 << 5
export const DOT = 1 << 6
export const SPACE = 1 << 7
export const AT = 1 << 8
export const COLON = 1 << 9
export const SLASH = 1 << 10
export const PLUS = 1 << 11
export const UNDERSCORE = 1 << 12
export const EQUALS = 1 << 13
export const PUNCTUATION = 1 << 14
export const WIDE = 1 << 15
export const LINE = 1 << 16

/** Common unions of the bits above. */
export const ANY_LOWER = HEX_LOWER | LOWER
export const ANY_UPPER = HEX_UPPER | UPPER
export const LETTER = ANY_LOWER | ANY_UPPER
export const ALPHANUMERIC = DIGIT | LETTER
export const URL_SAFE = ALPHANUMERIC | DASH | UNDERSCORE
export const ANY = (LINE << 1) - 1

const CLASS_OF = new Int32Array(128).fill(PUNCTUATION)
for (let code = 0; code < 32; code++) CLASS_OF[code] = LINE
CLASS_OF[127] = LINE
assign('0123456789', DIGIT)
assign('abcdef', HEX_LOWER)
assign('ghijklmnopqrstuvwxyz', LOWER)
assign('ABCDEF', HEX_UPPER)
assign('GHIJKLMNOPQRSTUVWXYZ', UPPER)
assign('-', DASH)
assign('.', DOT)
assign(' ', SPACE)
assign('@', AT)
assign(':', COLON)
assign('/', SLASH)
assign('+', PLUS)
assign('_', UNDERSCORE)
assign('=', EQUALS)

function assign(characters: string, bit: number): void {
  for (const character of characters) CLASS_OF[character.charCodeAt(0)] = bit
}

/** Union of the class bits of all characters of `value` up to `end`. One table look-up a character. */
export function charClasses(value: string, end: number = value.length): number {
  let mask = 0
  for (let i = 0; i < end; i++) {
    const code = value.charCodeAt(i)
    mask |= code < 128 ? CLASS_OF[code]! : WIDE
  }
  return mask
}

/** Shannon entropy of the value's characters, in bits a character; 0 for the empty text. */
export function entropyPerChar(value: string): number {
  if (value.length === 0) return 0
  const counts = new Map<number, number>()
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) {
    const share = count / value.length
    bits -= share * Math.log2(share)
  }
  return bits
}
