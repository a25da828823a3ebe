import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { keepTemplates, type NewCatalogueEntry, parseTemplate, type Template } from '../../testing/index.ts'

/** The tests that come with the product. */
const LIBRARY = fileURLToPath(new URL('../../../templates', import.meta.url))

/**
 * Puts the tests that come with the product into the catalogue; what a person switched off stays off, and what did not
 * change since the last start is not even read.
 *
 * @returns how many tests were new or changed
 */
export async function keepLibrary(store: Store): Promise<number> {
  const folder = join(LIBRARY, 'tests')
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.yaml') && !file.endsWith('.cases.yaml'),
  )
  const { rows } = await store.pool.query<{ id: string; hash: string }>(
    `SELECT id, content_hash AS hash FROM test_templates WHERE source = 'LIBRARY'`,
  )
  const known = new Map(rows.map(({ id, hash }) => [id, hash]))
  const entries: NewCatalogueEntry[] = []
  for (const file of files.sort()) {
    const id = basename(file, '.yaml')
    const content = await readFile(join(folder, file), 'utf8')
    const remediation = await remediationOf(id)
    const hash = createHash('sha256')
      .update(content)
      .update('\0')
      .update(remediation ?? '')
      .digest('hex')
    if (known.get(id) === hash) continue
    const { template } = parseTemplate(content, file)
    // The library is checked when it is built; a file that cannot be used is left out here and fails its test there.
    if (template !== null)
      entries.push({
        ...entryOf(template, content),
        file: join('tests', file),
        remediation,
        contentHash: hash,
      })
  }
  await keepTemplates(store, entries, nowSeconds())
  return entries.length
}

function entryOf(
  template: Template,
  content: string,
): Omit<NewCatalogueEntry, 'file' | 'remediation' | 'contentHash'> {
  const { info, attributes } = template
  return {
    id: template.id,
    source: 'LIBRARY',
    content,
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
    compliance: info.compliance.size === 0 ? null : mapped(info.compliance),
    attributes: {
      plan: attributes.plan ?? 'FREE',
      nature: attributes.nature ?? 'INTRUSIVE',
      duration: attributes.duration ?? 'FAST',
    },
    author: 'Vigil',
    isInactive: template.inactive ?? false,
  }
}

function mapped(compliance: ReadonlyMap<string, readonly string[]>): Record<string, string[]> {
  return Object.fromEntries(Array.from(compliance, ([standard, clauses]) => [standard, [...clauses]]))
}

/** How to remedy what a test of the library finds; null without a text. */
async function remediationOf(id: string): Promise<string | null> {
  try {
    return await readFile(join(LIBRARY, 'remediation', `${id}.md`), 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

/** The active tests of these ids, ready to run. */
export async function templatesOf(store: Store, ids: readonly string[]): Promise<Map<string, Template>> {
  const { rows } = await store.pool.query<{ id: string; content: string }>(
    `SELECT id, content FROM test_templates
     WHERE id = ANY ($1::text[]) AND NOT coalesce(is_switched_off, is_inactive) ORDER BY id`,
    [ids],
  )
  const templates = new Map<string, Template>()
  for (const { id, content } of rows) {
    const { template } = parseTemplate(content, id)
    if (template !== null) templates.set(id, template)
  }
  return templates
}
