/** A piece of a line. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

/** A block of a text. */
export type Block =
  | { readonly kind: 'heading' | 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string }

/** Characters read of a text; remedies are short. */
const longest = 100_000

const listMark = /^\s{0,3}(?:[-*+]|(\d{1,4})[.)])\s+(.*)$/
const inlineMark = /`([^`\n]{1,1000})`|\*\*([^*\n]{1,1000})\*\*|\[([^\]\n]{1,500})\]\(([^)\s]{1,2000})\)/g

/** Splits a line into plain text, code, stress and links. Links other than http and https stay text. */
export function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let at = 0
  for (const match of text.matchAll(inlineMark)) {
    const [whole, code, strong, label, href] = match
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) })
    at = match.index + whole.length
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (/^https?:\/\//i.test(href ?? ''))
      parts.push({ kind: 'link', text: label ?? '', href: href ?? '' })
    else parts.push({ kind: 'text', text: whole })
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  return parts
}

/**
 * Reads the part of Markdown that remedies are written in: headings, paragraphs, lists, blocks of code, and within
 * lines code, stress and links. Anything else is text; markup is never interpreted.
 */
export function parseMarkdown(source: string): Block[] {
  const blocks: Block[] = []
  const lines = source.slice(0, longest).replaceAll('\r\n', '\n').split('\n')
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', parts: parseInline(paragraph.join(' ')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const item = listMark.exec(line)
    if (line.trimStart().startsWith('```')) {
      endParagraph()
      const end = lines.findIndex((other, place) => place > at && other.trimStart().startsWith('```'))
      const last = end === -1 ? lines.length : end
      blocks.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n') })
      at = last
    } else if (/^#{1,6}\s/.test(line)) {
      endParagraph()
      blocks.push({ kind: 'heading', parts: parseInline(line.replace(/^#+\s+/, '')) })
    } else if (item !== null) {
      endParagraph()
      addItem(blocks, item[1] !== undefined, parseInline(item[2] ?? ''))
    } else if (line.trim() === '') endParagraph()
    else paragraph.push(line.trim())
  }
  endParagraph()
  return blocks
}

function addItem(blocks: Block[], ordered: boolean, item: Inline[]): void {
  const last = blocks.at(-1)
  if (last?.kind === 'list' && last.ordered === ordered) {
    blocks[blocks.length - 1] = { ...last, items: [...last.items, item] }
  } else blocks.push({ kind: 'list', ordered, items: [item] })
}
