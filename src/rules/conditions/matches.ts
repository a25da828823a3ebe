/** Matched names with the value that belongs to each; null: nothing was looked at by name yet. */
export type Matches = ReadonlyMap<string, unknown> | null

/** Names were looked at, and none matched. */
export const NO_MATCHES: ReadonlyMap<string, unknown> = new Map()

/** The names of both, with the later values: those are of the narrower question. */
export function narrowed(before: Matches, after: Matches): Matches {
  if (after === null) return NO_MATCHES
  if (before === null || before.size === 0) return before === null ? after : NO_MATCHES
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
