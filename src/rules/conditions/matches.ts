/** Matched names with the value that belongs to each; null: nothing was looked at by name yet. */
export type Matches = ReadonlyMap<string, unknown> | null

/** Names were looked at, and none matched. */
export const NO_MATCHES: ReadonlyMap<string, unknown> = new Map()

/**
 * The names of both, with the later values: those are of the narrower question. A question that looked at no names
 * narrows nothing.
 */
export function narrowed(before: Matches, after: Matches): Matches {
  if (before === null || after === null) return after ?? before
  if (before.size === 0) return NO_MATCHES
  const both = new Map<string, unknown>()
  for (const [name, value] of after) if (before.has(name)) both.set(name, value)
  return both
}

/** The names of either. */
export function united(before: Matches, after: Matches): Matches {
  if (before === null || before.size === 0) return after ?? before
  if (after === null || after.size === 0) return before
  return new Map([...before, ...[...after].filter(([name]) => !before.has(name))])
}
