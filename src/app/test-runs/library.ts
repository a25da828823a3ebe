import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  casesOf,
  keepTemplates,
  keptTemplates,
  type NewCatalogueEntry,
  parseTemplate,
  type Template,
} from '../../testing/index.ts'
import { catalogueEntry, contentHash } from './catalogue-entry.ts'

/** The folder of what comes with the product. */
const LIBRARY = fileURLToPath(new URL('../../../templates', import.meta.url))
/** The folder of the tests that come with the product. */
export const libraryTests = join(LIBRARY, 'tests')

/**
 * Puts the tests that come with the product into the catalogue; what a person switched off stays off, what a person
 * wrote under the same id stays, and what did not change since the last start is not even read.
 *
 * @returns how many tests were new or changed
 */
export async function keepLibrary(store: Store): Promise<number> {
  const folder = libraryTests
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.yaml') && !file.endsWith('.cases.yaml'),
  )
  const known = new Map((await keptTemplates(store)).map((one) => [one.id, one]))
  const entries: NewCatalogueEntry[] = []
  for (const file of files.sort()) {
    const id = basename(file, '.yaml')
    const kept = known.get(id)
    if (kept !== undefined && kept.source !== 'LIBRARY') continue
    const content = await readFile(join(folder, file), 'utf8')
    const remediation = await remediationOf(id)
    if (kept?.hash === contentHash(content, remediation)) continue
    const { template } = parseTemplate(content, file)
    // The library is checked when it is built; a file that cannot be used is left out here and fails its test there.
    if (template !== null)
      entries.push(
        catalogueEntry(template, content, {
          source: 'LIBRARY',
          file: join('tests', file),
          author: 'Vigil',
          remediation,
        }),
      )
  }
  await keepTemplates(store, entries, nowSeconds())
  return entries.length
}

/** How to remedy what a test of the library finds; null without a text. */
async function remediationOf(id: string): Promise<string | null> {
  return textOf(join(LIBRARY, 'remediation', `${id}.md`))
}

/** The cases beside a test: those that are kept with it, or those of the library; null without any. */
export async function keptCases(store: Store, id: string): Promise<string | null> {
  const kept = await casesOf(store, id)
  if (kept === undefined || kept.source !== 'LIBRARY' || kept.file === null) return kept?.cases ?? null
  return textOf(join(LIBRARY, kept.file.replace(/\.yaml$/, '.cases.yaml')))
}

/** Null when there is no such file. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
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
