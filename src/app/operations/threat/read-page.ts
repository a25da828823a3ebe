/** What a list is sorted by: the first known key that the client names, else the default, the latest first. */
export function readSort<Key extends string>(
  sort: Readonly<Record<string, number>> | null,
  keys: readonly Key[],
  byDefault: Key,
): { sort: Key; isAscending: boolean } {
  const named = keys.find((key) => sort !== null && Object.hasOwn(sort, key))
  return { sort: named ?? byDefault, isAscending: named !== undefined && (sort?.[named] ?? -1) > 0 }
}

/** Entries to leave out. */
export function readSkip(skip: number): number {
  return Math.max(skip, 0)
}
