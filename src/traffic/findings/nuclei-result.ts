import { ONLY_SEVERITIES } from '../../contract/import-formats.ts'
import { readMethod } from '../../http/index.ts'
import type { DecodeBudget } from '../decode-budget.ts'
import { importedTime } from '../import-entry.ts'
import { describeRequest } from '../import-report.ts'
import type { ImportedFinding, ImportedRule } from '../imported-finding.ts'
import type { ImportOptions } from '../importer.ts'
import { asList, asObject, asText, cutText, type OutsideObject, own } from '../untrusted-value.ts'
import { cveIds, cweIds, exchangeOf, linksIn, notesOf, plainText, urlProblem } from './finding-parts.ts'

const SEVERITIES: ReadonlyMap<string, ImportedRule['severity']> = new Map([
  ['critical', 'CRITICAL'],
  ['high', 'HIGH'],
  ['medium', 'MEDIUM'],
  ['low', 'LOW'],
])

/** Positions of parameters that a part of a request names. */
const POSITIONS: ReadonlySet<string> = new Set(['query', 'body'])

/** What is known of an entry besides its fields. */
interface EntryPlace {
  readonly index: number
  readonly where: string
}

/** A finding with what was doubtful about it, or the reason why an entry is none. */
type NucleiRead = { readonly finding: ImportedFinding; readonly problems: readonly string[] } | string

/** Reads one result of nuclei. */
export function readNucleiResult(
  value: unknown,
  { index, where }: EntryPlace,
  options: ImportOptions,
  budget: DecodeBudget,
): NucleiRead {
  const result = asObject(value)
  const field = (name: string): string => asText(own(result, name)).trim()
  if (result === undefined) return 'the entry is not an object'
  if (own(result, 'matcher-status') === false) return 'its template did not match'
  const rule = ruleOf(result)
  if (typeof rule === 'string') return rule
  const type = field('type')
  if (type !== '' && !['http', 'headless', 'javascript'].includes(type))
    return `it is about ${type.slice(0, 40)}, not about an HTTP endpoint`
  const url = addressOf(result)
  const problem = urlProblem(url)
  if (problem !== undefined) return problem
  const problems: string[] = []
  const at = importedTime(own(result, 'timestamp'), options, problems)
  const request = asText(own(result, 'request'))
  const exchange = exchangeOf(
    { url, request, response: asText(own(result, 'response')), at },
    budget,
    problems,
  )
  const method = exchange?.request.method ?? methodOf(result)
  const finding: ImportedFinding = {
    ...{ index, where, rule, method, url, exchange, at },
    what: describeRequest(method, url),
    isOfHost: false,
    part: partOf(field('fuzzing_position'), field('fuzzing_parameter')),
    notes: notesOf([
      ['Matcher', field('matcher-name')],
      ['Parameter', field('fuzzing_parameter')],
      ['Extracted', asList(own(result, 'extracted-results')).map(asText).join(', ')],
    ]),
  }
  return { finding, problems }
}

/** Method and URL of an entry for the report, whatever else is wrong with it. */
export function describeNucleiResult(value: unknown): string {
  const result = asObject(value)
  return result === undefined ? '' : describeRequest(methodOf(result), addressOf(result))
}

function ruleOf(result: OutsideObject): ImportedRule | string {
  const info = asObject(own(result, 'info'))
  const id = asText(own(result, 'template-id')).trim()
  if (!/^[\w.-]{1,150}$/.test(id)) return 'it has no template id'
  const word = asText(own(info, 'severity')).toLowerCase()
  const severity = SEVERITIES.get(word)
  if (severity === undefined) return `its severity is ${word.slice(0, 20) || 'not told'}: ${ONLY_SEVERITIES}`
  // Each matcher of a template may be a separate weakness, such as one missing header.
  const matcher = /^[\w .:-]{1,60}$/.exec(asText(own(result, 'matcher-name')))?.[0].replaceAll(' ', '-') ?? ''
  const name = plainText(own(info, 'name')) || id
  const classification = asObject(own(info, 'classification'))
  return {
    id: matcher === '' ? `nuclei:${id}` : `nuclei:${id}:${matcher}`,
    tool: 'nuclei',
    name: cutText(matcher === '' ? name : `${name}: ${matcher}`, 200),
    description: [plainText(own(info, 'description')), plainText(own(info, 'impact'))]
      .filter(Boolean)
      .join('\n\n'),
    remediation: plainText(own(info, 'remediation')),
    severity,
    cwe: cweIds(listOf(own(classification, 'cwe-id'))),
    cve: cveIds(listOf(own(classification, 'cve-id'))),
    links: linksIn(listOf(own(info, 'reference'))),
  }
}

/** Fields that are one value or a list of them. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Where the template matched; the host is an address only with a scheme. */
function addressOf(result: OutsideObject): string {
  const texts = ['matched-at', 'url', 'host'].map((name) => asText(own(result, name)).trim())
  return texts.find((text) => /^https?:\/\//i.test(text)) ?? texts[0] ?? ''
}

function methodOf(result: OutsideObject): string {
  const line = /^(\S{1,32}) /.exec(asText(own(result, 'request')))?.[1]
  const command = /(?:^|\s)-X '?([A-Z]{1,32})'?(?:\s|$)/.exec(asText(own(result, 'curl-command')))?.[1]
  return readMethod(line ?? '') ?? readMethod(command ?? '') ?? 'GET'
}

function partOf(position: string, parameter: string): string {
  return !POSITIONS.has(position) || parameter === '' || parameter.length > 200
    ? ''
    : `${position} ${parameter}`
}
