import {
  countBySeverity,
  distinctPlaces,
  failingFindings,
  type ScanFinding,
  type ScanResult,
  type ScanRule,
  severityOrder,
} from '../scan-result.ts'
import { verdictLine } from '../summary-text.ts'

/** What a comment on a pull request may hold, with room to spare. */
const MAX_LENGTH = 60_000
const MAX_FINDING = 6_000
const PLACES_SHOWN = 10
const REASONS_SHOWN = 5
const MOST_PROOF = 1_500

/** A comment for a pull request: the verdict, the numbers, what is new in full, the rest in a list; under 65,000 characters. */
export function markdownReport(result: ScanResult): string {
  const failing = failingFindings(result)
  const rules = new Map(result.rules.map((rule) => [rule.id, rule]))
  const others = result.findings.filter((finding) => !failing.includes(finding))
  const head = [
    `## Vigil: ${escaped(verdictLine(result))}`,
    '',
    ...numbers(result),
    '',
    ...notTested(result),
  ].join('\n')
  const blocks = [
    ...failing.map((finding) => findingBlock(finding, rules.get(finding.testId))),
    ...(others.length > 0
      ? [`### ${others.length} more that ${others.length === 1 ? 'does' : 'do'} not fail this scan\n`]
      : []),
    ...others.map(findingLine),
  ]
  return readable(fitting(head, blocks))
}

/** Without characters that no editor shows and some readers refuse. */
function readable(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n])\p{Cc}/gu, '\uFFFD')
}

function numbers({ findings, checks, endpoints, requests, seconds, target }: ScanResult): string[] {
  const counts = countBySeverity(findings)
  const shown = severityOrder.filter((severity) => severity !== 'INFO' || counts.INFO > 0)
  return [
    `| ${shown.map((severity) => capital(severity)).join(' | ')} | Checks passed | Not tested |`,
    `|${' ---: |'.repeat(shown.length + 2)}`,
    `| ${shown.map((severity) => counts[severity]).join(' | ')} | ${checks.passed} | ${checks.notTested} |`,
    '',
    `${endpoints} endpoints at ${code(target)}, ${requests} requests, ${Math.round(seconds)} s.`,
  ]
}

function notTested({ notTested: reasons }: ScanResult): string[] {
  if (reasons.length === 0) return []
  return [
    '<details><summary>Why checks were not tested</summary>',
    '',
    ...reasons.slice(0, REASONS_SHOWN).map(({ checks, reason }) => `- ${checks}: ${escaped(reason)}`),
    ...(reasons.length > REASONS_SHOWN ? [`- and ${reasons.length - REASONS_SHOWN} reasons more`] : []),
    '',
    '</details>',
    '',
  ]
}

function findingBlock(finding: ScanFinding, rule: ScanRule | undefined): string {
  const places = distinctPlaces(finding.places)
  const cwe = rule?.cwe.join(', ') ?? ''
  const block = [
    `### ${capital(finding.severity)}: ${escaped(finding.name)}`,
    '',
    ...places.slice(0, PLACES_SHOWN).map((place) => `- ${code(place)}`),
    ...(places.length > PLACES_SHOWN ? [`- and ${places.length - PLACES_SHOWN} endpoints more`] : []),
    '',
    escaped(finding.places[0]?.reason ?? ''),
    '',
    `${escaped(finding.category)}${cwe === '' ? '' : `, ${escaped(cwe)}`}, ${code(finding.fingerprint)}`,
    '',
    ...proofLines(finding),
    ...(rule?.remediation ? details('How to fix it', rule.remediation) : []),
  ].join('\n')
  return block.length <= MAX_FINDING ? block : findingLine(finding)
}

function proofLines({ proof }: ScanFinding): string[] {
  if (proof === null) return []
  const text = `${proof.request.slice(0, MOST_PROOF)}\n\n${proof.response.slice(0, MOST_PROOF)}`
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return details('Proof', `${fence}http\n${text}\n${fence}`)
}

function details(title: string, body: string): string[] {
  return [`<details><summary>${title}</summary>`, '', body, '', '</details>', '']
}

function findingLine({ severity, name, places, status }: ScanFinding): string {
  const [first = '', ...rest] = distinctPlaces(places)
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`
  const known = status === 'NEW' ? '' : ` (${status === 'KNOWN' ? 'in the baseline' : 'ignored'})`
  return `- ${capital(severity)}: ${escaped(name)} at ${code(first)}${more}${known}\n`
}

/** As many blocks as fit, and how many are missing. */
function fitting(head: string, blocks: readonly string[]): string {
  let text = `${head}\n`
  for (const [index, block] of blocks.entries()) {
    if (text.length + block.length > MAX_LENGTH)
      return `${text}\n${blocks.length - index} entries more are in the other reports of this scan.\n`
    text += `${block}${block.endsWith('\n') ? '' : '\n'}`
  }
  return text
}

function capital(word: string): string {
  return word[0]! + word.slice(1).toLowerCase()
}

/** Text from a target or a document, which must not become markup, a link or a mention. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)
    .replace(/[\\`*_{}[\]()#|!~]/g, '\\$&')
    .replace(/@/g, '@\u200B')
}

function code(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const fence = '`'.repeat(longestRun(line) + 1)
  return fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
