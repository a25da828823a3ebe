/** The driver takes 0 for "as configured"; this is the longest time that a timer of JavaScript can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** A statement for whose answer the driver waits as long as it takes. */
export function withoutLimit(text: string): { text: string; query_timeout: number } {
  return { text, query_timeout: LONGEST_MS }
}
