/** Characters of one message; a longer one quotes something that nobody reads. */
const MAX_MESSAGE = 1_000

/** Text for a terminal: no control characters but line ends, which could do more than be read, and no endless line. */
export function terminalText(text: string): string {
  const shown = Array.from(text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text, (char) =>
    /\p{Cc}/u.test(char) && char !== '\n' ? '\ufffd' : char,
  )
  return shown.join('').toWellFormed()
}
