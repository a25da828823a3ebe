import { currentCode } from '../login/one-time-code.ts'

const WHOLE_CODE = /^\s*\$\{totp\}\s*$/
const ONE_DIGIT = /^\s*\$\{totp\[(\d{1,2})\]\}\s*$/

/** Which digit of a code a text stands for (`${totp[0]}` is the first); null when for none. */
export function codeDigit(text: string): number | null {
  const digit = ONE_DIGIT.exec(text)?.[1]
  return digit === undefined ? null : Number(digit)
}

/**
 * What is to be typed: the text, or the code of one time that it stands for: `${totp}`, one digit of it (`${totp[0]}`), or
 * an `otpauth://totp/` URI.
 *
 * @param totp secret of the recording; null without one
 * @throws Failure FLOW_INVALID when the secret cannot be read
 */
export function typedValue(text: string, totp: string | null): string {
  if (/^\s*otpauth:\/\//i.test(text)) return currentCode(text)
  if (totp === null) return text
  if (WHOLE_CODE.test(text)) return currentCode(totp)
  const digit = codeDigit(text)
  return digit === null ? text : (currentCode(totp)[digit] ?? '')
}
