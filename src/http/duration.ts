/** An exchange takes less than a day. */
const MOST_MS = 86_400_000

/** Milliseconds from a number or its text, as sources write them; undefined where there is none. */
export function durationOf(value: unknown, msPerUnit = 1): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= 0)) return undefined
  const milliseconds = number * msPerUnit
  return milliseconds <= MOST_MS ? milliseconds : undefined
}
