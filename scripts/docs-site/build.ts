/**
 * The documentation as a site, in `dist/docs-site`: pages from `docs`, the operations of the interface, and a search that
 * needs no server. `vigil start` serves it at /docs, `vigil docs` copies it.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import MiniSearch from 'minisearch'
import { interfacePages } from './interface-pages.ts'
import { LISTED_FOLDERS, SECTIONS } from './pages.ts'
import { addressOf, type RenderedPage, renderPage } from './render.ts'
import { type NavigationEntry, pageHtml } from './shell.ts'

const root = resolve(import.meta.dirname, '../..')
const DOCS = join(root, 'docs')
const ASSETS = join(DOCS, 'site')
export const SITE = join(root, 'dist/docs-site')

function listed(folder: string): string[] {
  return readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
}

/** The source of every page, by its path below `docs`. @throws Error when a page is in no section, or not there */
function sources(): { texts: Map<string, string>; entries: { page: string; section: string }[] } {
  const texts = new Map<string, string>()
  const entries: { page: string; section: string }[] = []
  for (const { title, pages } of SECTIONS)
    for (const page of pages) {
      texts.set(page, readFileSync(join(DOCS, page), 'utf8'))
      entries.push({ page, section: title })
    }
  for (const [page, text] of interfacePages(readFileSync(join(DOCS, 'api/openapi.json'), 'utf8'))) {
    texts.set(page, text)
    entries.push({ page, section: 'Reference' })
  }
  for (const { folder, title, section } of LISTED_FOLDERS) {
    const rows = listed(folder).map((name) => {
      const text = readFileSync(join(DOCS, folder, name), 'utf8')
      texts.set(`${folder}/${name}`, text)
      return `- [${/^# (.+)$/m.exec(text)?.[1] ?? name}](${name})`
    })
    texts.set(`${folder}/index.md`, `# ${title}\n\n${rows.join('\n')}\n`)
    entries.push({ page: `${folder}/index.md`, section })
  }
  const missing = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !texts.has(name),
  )
  if (missing.length > 0) throw new Error(`scripts/docs-site/pages.ts does not name ${missing.join(', ')}`)
  return { texts, entries }
}

/** Writes the site anew. */
export function buildDocsSite(folder = SITE): void {
  const { texts, entries } = sources()
  const rendered = new Map<string, RenderedPage>(
    [...texts].map(([page, text]) => [page, renderPage(page, text, (path) => texts.has(path))]),
  )
  const navigation: NavigationEntry[] = entries.map(({ page, section }) => ({
    page,
    section,
    title: rendered.get(page)!.title,
  }))
  rmSync(folder, { recursive: true, force: true })
  for (const [page, content] of rendered) {
    const path = join(folder, addressOf(page))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, pageHtml(page, content, navigation))
  }
  writeFileSync(join(folder, 'search-index.js'), searchIndex(rendered))
  const library = createRequire(import.meta.url)
    .resolve('minisearch')
    .replace(/dist\/.*$/, 'dist/umd/index.js')
  cpSync(library, join(folder, 'minisearch.js'))
  for (const name of readdirSync(ASSETS)) cpSync(join(ASSETS, name), join(folder, name))
  cpSync(join(root, 'src/dashboard/public/vigil.svg'), join(folder, 'vigil.svg'))
  if (existsSync(join(DOCS, 'images')))
    cpSync(join(DOCS, 'images'), join(folder, 'images'), { recursive: true })
}

/** A script and not JSON: a page that was opened from a folder may load scripts, but fetch nothing. */
function searchIndex(rendered: ReadonlyMap<string, RenderedPage>): string {
  const search = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page', 'address'],
  })
  let id = 0
  for (const [page, { title, parts }] of rendered)
    for (const { heading, anchor, text } of parts) {
      const address = addressOf(page) + (anchor === '' ? '' : `#${anchor}`)
      search.add({ id: id++, heading: heading || title, page: title, text, address })
    }
  return `window.vigilSearchIndex = ${JSON.stringify(JSON.stringify(search))}\n`
}

if (import.meta.main) buildDocsSite()
