import { posix } from 'node:path'
import MarkdownIt from 'markdown-it'

/** A part of a page that a search finds. */
export interface Part {
  /** Heading; that of the page for its beginning. */
  readonly heading: string
  /** Of the heading; '' for the beginning of the page. */
  readonly anchor: string
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  readonly html: string
  readonly parts: readonly Part[]
  /** Headings of the second level, for the list beside the text. */
  readonly outline: readonly { readonly anchor: string; readonly heading: string }[]
}

const PART_CHARS = 4_000

/** The address of a page within the site. */
export function addressOf(page: string): string {
  return page === 'start.md' ? 'index.html' : page.replace(/\.md$/, '.html')
}

/**
 * Renders a page.
 *
 * @param page path below `docs`
 * @param isPage whether a path below `docs` is a page of the site
 */
export function renderPage(page: string, source: string, isPage: (path: string) => boolean): RenderedPage {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
  const tokens = markdown.parse(source, {})
  const parts: { heading: string; anchor: string; texts: string[] }[] = [
    { heading: '', anchor: '', texts: [] },
  ]
  const outline: { anchor: string; heading: string }[] = []
  const taken = new Set<string>()
  for (const [at, token] of tokens.entries()) {
    const inline = tokens[at + 1]
    if (token.type === 'heading_open' && inline !== undefined) {
      const heading = plainText(inline)
      const anchor = anchorOf(heading, taken)
      token.attrSet('id', anchor)
      if (token.tag === 'h1') parts[0]!.heading = heading
      else parts.push({ heading, anchor, texts: [] })
      if (token.tag === 'h2') outline.push({ anchor, heading })
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open')
      parts.at(-1)!.texts.push(plainText(token))
    else if (token.type === 'fence') parts.at(-1)!.texts.push(token.content)
    if (token.type === 'inline') for (const child of token.children ?? []) rewriteLink(child, page, isPage)
  }
  const html = framed(markdown.renderer.render(tokens, markdown.options, {}))
  return {
    title: parts[0]!.heading,
    html,
    outline,
    parts: parts.map(({ heading, anchor, texts }) => ({
      heading,
      anchor,
      text: texts.join(' ').slice(0, PART_CHARS),
    })),
  }
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

function plainText(inline: Token): string {
  return (inline.children ?? [])
    .map((child) => (child.type === 'softbreak' ? ' ' : child.type === 'image' ? '' : child.content))
    .join('')
}

/** As code hosts make them, so that links in the files work in both places. */
function anchorOf(heading: string, taken: Set<string>): string {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  let anchor = base
  for (let number = 1; taken.has(anchor); number++) anchor = `${base}-${number}`
  taken.add(anchor)
  return anchor
}

/** Links between pages keep working; what is only in the repository is not linked. */
function rewriteLink(token: Token, page: string, isPage: (path: string) => boolean): void {
  const href = token.type === 'link_open' ? token.attrGet('href') : null
  const link = href === null ? null : String(href)
  if (link === null || /^(?:[a-z]+:|#)/i.test(link)) return
  const [path = '', anchor] = link.split('#')
  const target = posix.normalize(posix.join(posix.dirname(page), path))
  const listed = target.replace(/\/$/, '')
  const wanted = isPage(target) ? target : isPage(`${listed}/index.md`) ? `${listed}/index.md` : undefined
  if (wanted === undefined) {
    token.attrs = [['class', 'repository']]
    return
  }
  const relative = posix.relative(posix.dirname(addressOf(page)), addressOf(wanted))
  token.attrSet('href', anchor === undefined ? relative : `${relative}#${anchor}`)
}

/** Wide tables and code scroll by themselves, and by keyboard. */
function framed(html: string): string {
  let tables = 0
  return html
    .replaceAll(
      '<table>',
      () => `<div class="scroll" role="region" aria-label="Table ${++tables}" tabindex="0"><table>`,
    )
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
}
