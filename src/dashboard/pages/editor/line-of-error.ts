/** The line that a refusal of the server names ("line 14"), from 1; null when it names none. */
export function lineOfError(message: string): number | null {
  const found = /\bline (\d{1,6})\b/i.exec(message)
  return found === null ? null : Number(found[1])
}
