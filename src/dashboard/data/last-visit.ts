/** What this browser remembers of a person's visits, in epoch seconds. */
interface Visits {
  /** Last sign of the visit before this one; null on the first visit. */
  readonly previous: number | null
  /** Last sign of this visit. */
  readonly seen: number
}

/** So long without a sign, in seconds, and the next one begins a new visit. */
const APART_SECONDS = 1_800

/** The visits after a sign at `now`; `before` is what was remembered. */
export function visitsAfter(before: Visits | null, now: number): Visits {
  if (before === null) return { previous: null, seen: now }
  return now - before.seen > APART_SECONDS
    ? { previous: before.seen, seen: now }
    : { previous: before.previous, seen: Math.max(now, before.seen) }
}

function keyOf(login: string): string {
  return `vigil.visits.${login}`
}

/** What is remembered of a person; null for nothing, and where nothing can be kept. */
export function readVisits(login: string): Visits | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(login)) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('seen' in kept)) return null
    const { seen, previous } = kept as { seen: unknown; previous?: unknown }
    if (typeof seen !== 'number') return null
    return { seen, previous: typeof previous === 'number' ? previous : null }
  } catch {
    return null
  }
}

/** Remembers that a person looks at a page now. */
export function markVisit(login: string): void {
  try {
    const now = Math.floor(Date.now() / 1000)
    localStorage.setItem(keyOf(login), JSON.stringify(visitsAfter(readVisits(login), now)))
  } catch {
    // A browser that keeps nothing: every visit is the first.
  }
}
