import type { FilterTemplate } from '../../../contract/index.ts'
import { compileFilter, type FilterInfo, type StoredFilter } from '../../../threat/index.ts'

/** What filters tell of themselves, by their YAML: reading one takes about a millisecond. */
const known = new Map<string, FilterInfo | null>()
const MAX_KNOWN = 2_000

/** What a filter tells of itself; null when its YAML cannot be used. */
export function infoOf(content: string): FilterInfo | null {
  const found = known.get(content)
  if (found !== undefined) return found
  const info = compileFilter(content).filter?.info ?? null
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(content, info)
  return info
}

export function wireFilter(filter: StoredFilter): FilterTemplate {
  const info = infoOf(filter.content)
  const { id, author, createdAt, updatedAt, content, state, shipped } = filter
  return { id, author, createdAt, updatedAt, content, state, shipped, info: info && wireInfo(info) }
}

function wireInfo(info: FilterInfo): NonNullable<FilterTemplate['info']> {
  const list = (items: readonly string[] | null): string[] | null => items && [...items]
  return {
    name: info.name,
    description: info.description === '' ? null : info.description,
    details: info.details === '' ? null : info.details,
    impact: info.impact === '' ? null : info.impact,
    remediation: info.remediation,
    severity: info.severity,
    subCategory: info.subCategory,
    references: list(info.references),
    tags: list(info.tags),
    cwe: list(info.cwe),
    cve: list(info.cve),
    compliance: info.compliance && {
      mapComplianceToListClauses: Object.fromEntries(
        Object.entries(info.compliance).map(([name, clauses]) => [name, [...clauses]]),
      ),
      author: null,
      source: null,
      hash: 0,
    },
    category: { ...info.category },
  }
}
