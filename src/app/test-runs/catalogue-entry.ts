import { createHash } from 'node:crypto'
import type { TestOrigin } from '../../store/index.ts'
import type { NewCatalogueEntry, Template } from '../../testing/index.ts'

/** Where a test came from, and what lies beside it. */
interface EntryOrigin {
  readonly source: TestOrigin
  /** Path within its library or folder; null for those written in the dashboard. */
  readonly file: string | null
  readonly author: string | null
  /** How to remedy its findings, in Markdown; null without. */
  readonly remediation: string | null
  /** Standard to its clauses, of a file beside the test; they are added to its own. */
  readonly compliance?: ReadonlyMap<string, readonly string[]>
}

/** A test as the catalogue keeps it. */
export function catalogueEntry(template: Template, content: string, origin: EntryOrigin): NewCatalogueEntry {
  const { attributes } = template
  const info = storable(template.info)
  const compliance = new Map([...(origin.compliance ?? []), ...info.compliance])
  return {
    id: template.id,
    source: origin.source,
    file: origin.file,
    content: content.replaceAll('\0', ''),
    contentHash: contentHash(content, origin.remediation, origin.compliance),
    name: info.name,
    description: info.description,
    details: info.details,
    impact: info.impact,
    category: info.category.name,
    categoryDisplay: info.category.displayName,
    categoryShort: info.category.shortName,
    severity: info.severity === 'dynamic_severity' ? 'HIGH' : info.severity,
    tags: [...info.tags],
    links: [...info.references],
    cwe: [...info.cwe],
    cve: [...info.cve],
    compliance: compliance.size === 0 ? null : plain(compliance),
    remediation: origin.remediation ?? (info.remediation === '' ? null : info.remediation),
    attributes: {
      plan: attributes.plan ?? 'FREE',
      nature: attributes.nature ?? 'INTRUSIVE',
      duration: attributes.duration ?? 'FAST',
    },
    author: origin.author,
    isInactive: template.inactive ?? false,
  }
}

/** The texts without U+0000, which the store keeps none of and escapes of YAML can make. */
function storable(info: Template['info']): Template['info'] {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll('\0', '')
    if (Array.isArray(value)) return value.map(clean)
    if (value instanceof Map) return new Map([...value].map(([key, inner]) => [clean(key), clean(inner)]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]))
  }
  return clean(info) as Template['info']
}

/** What changes when a test, or what lies beside it, changes: SHA-256 in hex. */
export function contentHash(
  content: string,
  remediation: string | null,
  compliance?: ReadonlyMap<string, readonly string[]>,
): string {
  const hash = createHash('sha256')
    .update(content)
    .update('\0')
    .update(remediation ?? '')
  if (compliance !== undefined && compliance.size > 0)
    hash.update('\0').update(JSON.stringify([...compliance]))
  return hash.digest('hex')
}

/** Names come from files: one such as __proto__ is a name like any other. */
function plain(compliance: ReadonlyMap<string, readonly string[]>): Record<string, string[]> {
  return Object.fromEntries(Array.from(compliance, ([standard, clauses]) => [standard, [...clauses]]))
}
