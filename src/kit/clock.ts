/** Whole seconds since 1970-01-01T00:00:00Z, the unit of every time on the wire and in the store. */
export type EpochSeconds = number

/** Milliseconds since 1970-01-01T00:00:00Z; only for durations and timers inside one process. */
export type EpochMs = number

/** The one source of "now"; tests replace it through {@link setClock}. */
let readClockMs: () => EpochMs = () => Date.now()

/** Current time in whole seconds. */
export function nowSeconds(): EpochSeconds {
  return Math.floor(readClockMs() / 1000)
}

/** Current time in milliseconds. */
export function nowMs(): EpochMs {
  return readClockMs()
}

/** Replaces the clock (tests, simulations); returns a function that puts the previous one back. */
export function setClock(read: () => EpochMs): () => void {
  const previous = readClockMs
  readClockMs = read
  return () => {
    readClockMs = previous
  }
}
