import { code } from './blocks.ts'
import type { PageFlow } from './page-flow.ts'
import { contentWidth, page, styles } from './theme.ts'

const MAX_CODE_LINES = 40
const INDENT = 12

/** Writes Markdown: headings, lists, fenced code, paragraphs. Marks inside a line (bold, code, links) become plain text. */
export function markdown(flow: PageFlow, text: string): void {
  let fence: string[] | null = null
  let paragraph: string[] = []
  const endParagraph = (): void => {
    if (paragraph.length === 0) return
    flow.write(plain(paragraph.join(' ')), styles.body)
    flow.space(4)
    paragraph = []
  }
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (line.trimStart().startsWith('```')) {
      endParagraph()
      if (fence === null) fence = []
      else {
        code(flow, fence.join('\n'), MAX_CODE_LINES)
        fence = null
      }
      continue
    }
    if (fence !== null) {
      fence.push(line)
      continue
    }
    const title = /^#{1,6}\s+(.{1,300})$/.exec(line)
    const item = /^(\s{0,8})(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/.exec(line)
    if (title !== null || item !== null || line.trim() === '') endParagraph()
    if (title !== null) flow.write(plain(title[1]!), styles.strong)
    else if (item !== null)
      listItem(flow, item[2] === undefined ? '•' : `${item[2]}.`, plain(item[3]!), item[1]!.length)
    else if (line.trim() !== '') paragraph.push(line.trim())
  }
  endParagraph()
  if (fence !== null) code(flow, fence.join('\n'), MAX_CODE_LINES)
}

function listItem(flow: PageFlow, mark: string, text: string, depth: number): void {
  const x = page.left + Math.min(depth, 4) * 4
  flow.need(styles.body.size * styles.body.leading)
  flow.label(mark, styles.body, x, flow.y)
  flow.write(text, styles.body, { x: x + INDENT + 2, width: contentWidth - INDENT - 2 - (x - page.left) })
  flow.space(1)
}

/** The text of a line without its marks; a link keeps its address. */
function plain(text: string): string {
  return text
    .replace(/\[([^\][]{0,300})\]\(([^()\s]{0,500})\)/g, (_all, label: string, url: string) =>
      label === url ? url : `${label} (${url})`,
    )
    .replace(/\*\*([^*]{1,500})\*\*/g, '$1')
    .replace(/\*([^*\s][^*]{0,500})\*/g, '$1')
    .replace(/`([^`]{1,500})`/g, '$1')
}
