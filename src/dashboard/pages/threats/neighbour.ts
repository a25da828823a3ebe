import type { MaliciousEvent } from '../../../contract/browser.ts'

/** The event before (-1) or after (1) one of a list; null at its ends. */
export function neighbour(
  events: readonly MaliciousEvent[] | undefined,
  of: MaliciousEvent,
  step: -1 | 1,
): MaliciousEvent | null {
  const at = events?.findIndex(({ id }) => id === of.id) ?? -1
  return at === -1 ? null : (events?.[at + step] ?? null)
}
