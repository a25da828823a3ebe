/** A comma that separates: one between the numbers of a repetition (`a{2,3}`) belongs to its regular expression. */
const SEPARATOR = /(?<!\{\d{1,4}),|,(?!\d{0,4}\})/

/** Entries of a comma-separated field; blanks around them and empty ones are dropped. */
export function splitList(text: string | null | undefined): string[] {
  return (text ?? '')
    .split(SEPARATOR)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
