import type { EndpointOverview } from '../../../../contract/browser.ts'

/** Sensitive data types of the given endpoints, those of most endpoints first, then by name. */
export function typesOfRows(
  rows: readonly Pick<EndpointOverview, 'sensitiveInRequest' | 'sensitiveInResponse'>[],
): string[] {
  const counts = new Map<string, number>()
  for (const { sensitiveInRequest, sensitiveInResponse } of rows) {
    for (const type of new Set([...sensitiveInRequest, ...sensitiveInResponse])) {
      counts.set(type, (counts.get(type) ?? 0) + 1)
    }
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b)).map(([type]) => type)
}
