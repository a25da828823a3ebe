/** Longer texts are worked out each time: remembering them costs more memory than it saves work. */
const MAX_TEXT = 128

/**
 * A function of a text that remembers its latest answers, for texts of which traffic holds few different ones.
 *
 * @param most answers that are remembered; then all of them are forgotten
 */
export function remembered<T>(work: (text: string) => T, most: number): (text: string) => T {
  const answers = new Map<string, { readonly value: T }>()
  return (text) => {
    if (text.length > MAX_TEXT) return work(text)
    const known = answers.get(text)
    if (known !== undefined) return known.value
    const value = work(text)
    if (answers.size >= most) answers.clear()
    answers.set(text, { value })
    return value
  }
}
