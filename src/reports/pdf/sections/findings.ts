import type { ReportFinding, ReportWeakness } from '../../report-content.ts'
import { chapter, code, heading, section, severityBadge, table } from '../blocks.ts'
import { markdown } from '../markdown.ts'
import type { PageFlow } from '../page-flow.ts'
import { shortened } from '../readable-text.ts'
import { colors, contentWidth, page, severityColors, styles } from '../theme.ts'

const MAX_URL = 2_000
const MAX_REQUEST_LINES = 28
const MAX_ANSWER_LINES = 22
const MAX_LINKS = 8
const MAX_TEXT_LINES = 30

/** Every weakness: what it is, what it means, how to remedy it, and each place with its proof. */
export function findings(flow: PageFlow, weaknesses: readonly ReportWeakness[]): void {
  chapter(flow, 'Findings')
  if (weaknesses.length === 0) {
    flow.write('Nothing was found that fits what this report is about.', styles.body)
    return
  }
  weaknesses.forEach((weakness, index) => {
    if (index > 0) flow.need(260)
    one(flow, weakness, index + 1)
    flow.space(14)
  })
}

function one(flow: PageFlow, weakness: ReportWeakness, number: number): void {
  const title = `${number}. ${weakness.name}`
  flow.need(120)
  flow.mark(title, 2, severityColors[weakness.severity])
  flow.document.rect(page.left, flow.y, contentWidth, 2).fill(severityColors[weakness.severity])
  flow.y += 8
  section(flow, title)
  const used = severityBadge(flow, weakness.severity, page.left, flow.y)
  const names = [
    ...weakness.owasp,
    ...(weakness.owasp.length === 0 ? [weakness.category] : []),
    ...weakness.cwe,
    ...weakness.cve,
  ]
  flow.label(
    flow.fitted(names.join('  ·  '), styles.small, contentWidth - used - 10),
    styles.small,
    page.left + used + 10,
    flow.y + 1,
  )
  flow.y += 20
  part(flow, 'What it is', [weakness.description, weakness.details].filter((text) => text !== '').join('\n'))
  part(flow, 'Impact', weakness.impact)
  if (weakness.remediation !== '') {
    heading(flow, 'Remediation')
    markdown(flow, withoutTitle(weakness.remediation, weakness.name))
  }
  part(flow, 'Compliance', weakness.compliance.join('; '))
  places(flow, weakness.findings)
  for (const [index, finding] of weakness.findings.entries()) proof(flow, finding, `${number}.${index + 1}`)
  links(flow, weakness.links)
}

/** Remediation whose first heading is the name of the weakness says it twice. */
function withoutTitle(text: string, name: string): string {
  const [first = '', ...rest] = text.split('\n')
  return first.replace(/^#{1,6}\s+/, '').trim() === name ? rest.join('\n') : text
}

function part(flow: PageFlow, title: string, text: string): void {
  if (text.trim() === '') return
  heading(flow, title)
  flow.write(text.trim(), styles.body, { maxLines: MAX_TEXT_LINES })
  flow.space(2)
}

function places(flow: PageFlow, found: readonly ReportFinding[]): void {
  heading(flow, found.length === 1 ? 'Where' : `Where (${found.length} places)`, 60)
  flow.space(2)
  table(
    flow,
    [
      { title: 'SEVERITY', share: 0.13 },
      { title: 'ENDPOINT', share: 0.47, style: styles.cellMono },
      { title: 'COLLECTION', share: 0.18 },
      { title: 'STATUS', share: 0.1 },
      { title: 'FOUND', share: 0.12 },
    ],
    found.map((finding) => [
      finding.severity,
      `${finding.method} ${shortened(finding.url, MAX_URL)}`,
      finding.collection,
      finding.status,
      day(finding.lastSeen),
    ]),
  )
}

function proof(flow: PageFlow, finding: ReportFinding, number: string): void {
  flow.need(90)
  flow.write(`Evidence ${number}`, { ...styles.heading, color: colors.ink })
  flow.write(`${finding.method} ${shortened(finding.url, MAX_URL)}`, styles.code, { maxLines: 4 })
  flow.space(3)
  if (finding.explanation !== '') flow.write(finding.explanation, styles.body, { maxLines: 8 })
  if (finding.control !== '' && finding.control !== finding.explanation)
    flow.write(`Control: ${finding.control}`, styles.body, { maxLines: 6 })
  if (finding.note !== '') flow.write(`Note: ${finding.note}`, styles.body, { maxLines: 12 })
  if (finding.ticketUrl !== null) flow.write(`Ticket: ${finding.ticketUrl}`, styles.link, { maxLines: 2 })
  flow.space(4)
  panel(flow, 'REQUEST', finding.request, MAX_REQUEST_LINES)
  panel(flow, 'ANSWER', finding.answer, MAX_ANSWER_LINES)
  flow.space(6)
}

function panel(flow: PageFlow, title: string, text: string, maxLines: number): void {
  if (text === '') return
  flow.need(70)
  flow.label(title, styles.label, page.left, flow.y)
  flow.y += 12
  code(flow, text, maxLines)
}

function links(flow: PageFlow, urls: readonly string[]): void {
  if (urls.length === 0) return
  heading(flow, 'References')
  for (const url of urls.slice(0, MAX_LINKS)) {
    const top = flow.y
    flow.write(url, styles.link, { maxLines: 2 })
    // A link that a test names is only a link on the web.
    if (/^https?:\/\//.test(url) && flow.y > top)
      flow.document.link(page.left, top, contentWidth, flow.y - top, url)
  }
}

function day(seconds: number): string {
  return seconds <= 0 ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)
}
