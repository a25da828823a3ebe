import type { CrawlStepRecord } from './crawl-steps.ts'

const MAX_NODES = 300
const MAX_EDGES = 1000
const MAX_LABEL = 40

/**
 * The steps of a crawl between pages as Mermaid text (`graph LR`), each way once; '' without any step. Texts come from
 * crawled pages: whatever means something to Mermaid or HTML is written as an entity.
 */
export function navigationGraph(steps: readonly CrawlStepRecord[]): string {
  const nodes = new Map<string, string>()
  const lines: string[] = []
  const known = new Set<string>()
  const nodeOf = (url: string): string | null => {
    const page = pageOf(url)
    const at = nodes.get(page)
    if (at !== undefined) return at
    if (nodes.size >= MAX_NODES) return null
    const name = `p${nodes.size}`
    nodes.set(page, name)
    lines.push(`  ${name}["${escaped(page)}"]`)
    return name
  }
  for (const { from, fromUrl, toUrl, action, text, xpath } of steps) {
    if (known.size >= MAX_EDGES) break
    const to = nodeOf(toUrl)
    const source = from === '' ? null : nodeOf(fromUrl)
    if (to === null || source === null || source === to) continue
    const label = escaped(`${action} ${text === '' ? xpath.slice(-MAX_LABEL) : text}`.trim())
    const edge = `  ${source} -->|"${label}"| ${to}`
    if (known.has(edge)) continue
    known.add(edge)
    lines.push(edge)
  }
  return lines.length === 0 ? '' : `graph LR\n${lines.join('\n')}`
}

/** Path and fragment of a URL, which tell pages of one application apart. */
function pageOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, hash } = new URL(url)
  return pathname + hash
}

function escaped(text: string): string {
  const cut = text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text
  return Array.from(cut, (char) =>
    /[\p{L}\p{N} /._,:;…{}-]/u.test(char) ? char : `#${char.codePointAt(0)};`,
  ).join('')
}
