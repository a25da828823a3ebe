import { SaxesParser } from 'saxes'
import { plainValue, readYaml } from '../../../rules/index.ts'

/** Most entries taken from one file. */
const MAX_ENTRIES = 5000

/** Paths and sitemaps of a `robots.txt` (RFC 9309). It is read as a source of paths. */
export function readRobots(text: string): { readonly paths: string[]; readonly sitemaps: string[] } {
  const paths: string[] = []
  const sitemaps: string[] = []
  for (const line of text
    .slice(0, 512 * 1024)
    .split('\n')
    .slice(0, MAX_ENTRIES)) {
    const match = /^\s{0,10}(allow|disallow|sitemap)\s{0,5}:\s{0,5}(\S{1,1000})/i.exec(line)
    if (!match) continue
    const value = match[2]!
    if (match[1]!.toLowerCase() === 'sitemap') sitemaps.push(value)
    else if (value.startsWith('/') && value !== '/') {
      const bare = value.replace(/\$$/, '').replace(/\*.*$/, '')
      if (bare.length > 1) paths.push(bare)
    }
  }
  return { paths, sitemaps }
}

/** Locations of a sitemap or an index of sitemaps (sitemaps.org, protocol 0.9); null when it is not XML. */
export function readSitemap(text: string): { readonly pages: string[]; readonly sitemaps: string[] } | null {
  const pages: string[] = []
  const sitemaps: string[] = []
  const parser = new SaxesParser({})
  const path: string[] = []
  let content = ''
  let isBroken = false
  parser.on('error', () => {
    isBroken = true
  })
  parser.on('doctype', () => {
    isBroken = true
  })
  parser.on('opentag', (tag) => {
    path.push(tag.name.toLowerCase())
    content = ''
  })
  parser.on('text', (part) => {
    if (content.length < 3000) content += part
  })
  parser.on('closetag', () => {
    const name = path.pop()
    if (name === 'loc' && pages.length + sitemaps.length < MAX_ENTRIES) {
      ;(path.at(-1) === 'sitemap' ? sitemaps : pages).push(content.trim())
    }
    content = ''
  })
  for (let at = 0; at < text.length && at < 10_000_000 && !isBroken && path.length < 50; at += 65_536) {
    parser.write(text.slice(at, at + 65_536))
  }
  return isBroken && pages.length + sitemaps.length === 0 ? null : { pages, sitemaps }
}

/** An operation of a described API. */
interface DescribedOperation {
  readonly method: string
  /** Path with base, parameters as `{name}`. */
  readonly path: string
}

/** Operations of an OpenAPI 2 or 3 document in JSON or YAML; null when it is none. */
export function readOpenApi(text: string): DescribedOperation[] | null {
  const document = documentOf(text)
  const paths = property(document, 'paths')
  if (!isObject(paths)) return null
  const base = basePath(document)
  const operations: DescribedOperation[] = []
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith('/') || !isObject(item)) continue
    for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']) {
      if (!Object.hasOwn(item, method)) continue
      operations.push({ method: method.toUpperCase(), path: `${base}${path}`.slice(0, 1000) })
      if (operations.length >= MAX_ENTRIES) return operations
    }
  }
  return operations
}

/** What the text of a description holds; null when it is none, or cannot be read. */
function documentOf(text: string): unknown {
  const head = text.slice(0, 20_000)
  if (/"(?:openapi|swagger)"\s{0,5}:/.test(head)) {
    try {
      return JSON.parse(text.slice(0, 20_000_000))
    } catch {
      // Cut or not JSON after all.
      return null
    }
  }
  if (!/^['"]?(?:openapi|swagger)['"]?\s{0,5}:/m.test(head)) return null
  const { root } = readYaml(text)
  return root === null ? null : plainValue(root)
}

function basePath(document: unknown): string {
  const old = property(document, 'basePath')
  if (typeof old === 'string') return old.replace(/\/$/, '')
  const servers = property(document, 'servers')
  const url = Array.isArray(servers) ? property(servers[0], 'url') : null
  if (typeof url !== 'string') return ''
  return url.replace(/^https?:\/\/[^/]*/i, '').replace(/\/$/, '')
}

function property(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
