const WHOLE_CODE = /^\s*\$\{totp\}\s*$/
const ONE_DIGIT = /^\s*\$\{totp\[(\d{1,2})\]\}\s*$/

/** Which digit of a code a text stands for (`${totp[0]}` is the first); null when for none. */
export function codeDigit(text: string): number | null {
  const digit = ONE_DIGIT.exec(text)?.[1]
  return digit === undefined ? null : Number(digit)
}

/**
 * What is to be typed: the text, or the one-time code that it stands for: `${totp}`, one digit of it (`${totp[0]}`), or
 * an `otpauth://totp/` URI.
 *
 * @param totp secret of the recording; null without one
 * @param codeOf gives the code of a secret
 * @throws Failure FLOW_INVALID when the secret cannot be read
 */
export async function typedValue(text: string, totp: string | null, codeOf: CodeOf): Promise<string> {
  if (/^\s*otpauth:\/\//i.test(text)) return codeOf(text)
  if (totp === null) return text
  if (WHOLE_CODE.test(text)) return codeOf(totp)
  const digit = codeDigit(text)
  return digit === null ? text : ((await codeOf(totp, digit))[digit] ?? '')
}

/** The code of a secret; `digit` says which one of it is wanted, where it is typed digit by digit. */
export type CodeOf = (secret: string, digit?: number) => Promise<string>

/**
 * Codes for one play: the later digits of a code are those of the code whose first one was typed, also when the time of
 * that code is over meanwhile.
 */
export function codesOfPlay(fresh: (secret: string) => Promise<string>): CodeOf {
  let begun: { secret: string; code: string } | null = null
  return async (secret, digit) => {
    if (digit === undefined || digit === 0 || begun?.secret !== secret)
      begun = { secret, code: await fresh(secret) }
    return begun.code
  }
}
