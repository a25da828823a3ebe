const MAX_LENGTH = 64

/**
 * The candidate with the fewest edits to `word`, a swap of two neighbours being one (optimal string alignment distance), or
 * null when even the best differs in more than a third of its characters. For suggestions after a misspelling.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  const short = word.slice(0, MAX_LENGTH)
  let best: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = editDistance(short, candidate.slice(0, MAX_LENGTH))
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best !== null && least <= Math.ceil(best.length / 3) ? best : null
}

function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(change, swap, row[j]! + 1, next[j - 1]! + 1))
    }
    before = row
    row = next
  }
  return row[b.length]!
}
