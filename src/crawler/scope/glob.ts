/** Whether `text` as a whole fits a pattern in which `*` stands for anything. Linear in practice, quadratic at worst. */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let place = 0
  while (at < text.length) {
    if (place < pattern.length && pattern[place] === '*') {
      star = place++
      resume = at
    } else if (place < pattern.length && pattern[place] === text[at]) {
      place++
      at++
    } else if (star >= 0) {
      place = star + 1
      at = ++resume
    } else {
      return false
    }
  }
  while (pattern[place] === '*') place++
  return place === pattern.length
}
