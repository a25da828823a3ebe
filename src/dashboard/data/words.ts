const number = new Intl.NumberFormat('en')

/** A count with its digits in groups: 1,204. */
export function countText(count: number): string {
  return number.format(count)
}

/** "1 test", "1,204 tests". */
export function countOf(count: number, word: string, plural = `${word}s`): string {
  return `${number.format(count)} ${count === 1 ? word : plural}`
}

/** A length of time in words, from seconds: "42 s", "3 min 5 s", "2 h 10 min". */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
