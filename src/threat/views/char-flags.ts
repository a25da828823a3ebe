/** What kinds of characters a text holds, as bits: one look at the bits says which decodings can change it. */
export const CHAR = {
  PERCENT: 1,
  AMPERSAND: 2,
  BACKSLASH: 4,
  PLUS: 8,
  /** C0 controls and DEL, but not tab, line feed and carriage return. */
  CONTROL: 16,
  /** Tab, line feed, carriage return. */
  BREAK: 32,
  SPACE: 64,
  STAR: 128,
  /** Beyond ASCII. */
  WIDE: 256,
  /** Not in the alphabets of Base64 (RFC 4648 sections 4 and 5), and none of those with their own bit. */
  OTHER: 512,
  UPPER: 1024,
  LOWER: 2048,
  DIGIT: 4096,
  /** Not a hexadecimal digit or hyphen. */
  NOT_HEX: 8192,
  DOT: 16384,
} as const

/** Bits of each ASCII character. */
export const ASCII_FLAGS = asciiFlags()

function asciiFlags(): Uint16Array {
  const flags = new Uint16Array(128)
  for (let code = 0; code < 128; code++) flags[code] = flagsOfAscii(code)
  return flags
}

function flagsOfAscii(code: number): number {
  const char = String.fromCharCode(code)
  if (/[\t\n\r]/.test(char)) return CHAR.BREAK | CHAR.NOT_HEX
  if (code < 32 || code === 127) return CHAR.CONTROL | CHAR.OTHER | CHAR.NOT_HEX
  if (/[0-9]/.test(char)) return CHAR.DIGIT
  if (/[a-z]/.test(char)) return CHAR.LOWER | (char > 'f' ? CHAR.NOT_HEX : 0)
  if (/[A-Z]/.test(char)) return CHAR.UPPER | (char > 'F' ? CHAR.NOT_HEX : 0)
  switch (char) {
    case '%':
      return CHAR.PERCENT | CHAR.OTHER | CHAR.NOT_HEX
    case '&':
      return CHAR.AMPERSAND | CHAR.OTHER | CHAR.NOT_HEX
    case '\\':
      return CHAR.BACKSLASH | CHAR.OTHER | CHAR.NOT_HEX
    case '*':
      return CHAR.STAR | CHAR.OTHER | CHAR.NOT_HEX
    case '+':
      return CHAR.PLUS | CHAR.NOT_HEX
    case ' ':
      return CHAR.SPACE | CHAR.NOT_HEX
    case '.':
      return CHAR.DOT | CHAR.NOT_HEX
    case '-':
      return 0
    case '/':
    case '_':
    case '=':
      return CHAR.NOT_HEX
    default:
      return CHAR.OTHER | CHAR.NOT_HEX
  }
}

/** Bits of every character of a range. */
export function flagsOf(units: Uint16Array, start: number, end: number): number {
  let flags = 0
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    flags |= unit < 128 ? ASCII_FLAGS[unit]! : CHAR.WIDE | CHAR.OTHER | CHAR.NOT_HEX
  }
  return flags
}

/** Value of a hexadecimal digit by its code unit; -1 for anything else, units beyond ASCII included. */
export function hexDigit(unit: number | undefined): number {
  if (unit === undefined) return -1
  if (unit >= 48 && unit <= 57) return unit - 48
  const lower = unit | 32
  return lower >= 97 && lower <= 102 && unit < 128 ? lower - 87 : -1
}

/** Space, tab, line feed, vertical tab, form feed, carriage return. */
export function isAsciiSpace(unit: number | undefined): boolean {
  return unit === 32 || (unit !== undefined && unit >= 9 && unit <= 13)
}
