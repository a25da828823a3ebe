/** How far ahead of the clock of the server a message may be dated, in seconds: clocks of senders differ. */
const MAX_AHEAD_SECONDS = 120

/** The time (epoch seconds) of a message that is dated so: one dated further ahead than clocks differ is of its arrival. */
export function eventTime(at: number, now: number): number {
  return at > now + MAX_AHEAD_SECONDS ? now : at
}
