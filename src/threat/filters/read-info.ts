import { nearestWord } from '../../kit/index.ts'
import { entryOf, type YamlMap, type YamlNode } from '../../rules/index.ts'
import type { FilterInfo, FilterRole, FilterSeverity } from './filter.ts'
import { SEVERITIES } from './filter.ts'
import type { FilterReport } from './filter-report.ts'

/** Every key of `info`, in a sentence. */
export const FILTER_INFO_KEYS: Readonly<Record<keyof FilterInfo, string>> = {
  name: 'Title; the id unless given.',
  description: 'What it finds.',
  details: 'How it finds it.',
  impact: 'What follows from such an attack.',
  category: '`name` (required), `displayName` and `shortName` of its category.',
  subCategory: 'The name of the category unless given.',
  severity: 'CRITICAL, HIGH, MEDIUM or LOW (required).',
  remediation: 'What to do about it, in Markdown.',
  references: 'Addresses to read on.',
  tags: 'Words to find it by.',
  cwe: 'Weaknesses (CWE).',
  cve: 'Known vulnerabilities (CVE).',
  compliance: 'Standard to the clauses that the attack touches.',
}
const CATEGORY_KEYS = ['name', 'displayName', 'shortName']

/** The `info` of a filter, with defaults; what is missing or misspelt is an error. */
export function readInfo(map: YamlMap, id: string, report: FilterReport): FilterInfo {
  report.otherKeys(map, Object.keys(FILTER_INFO_KEYS), 'warning')
  const at = (key: keyof FilterInfo): YamlNode | undefined => entryOf(map, key)
  const text = (key: keyof FilterInfo): string => report.text(at(key), `info.${key}`)
  const category = readCategory(at('category'), map, report)
  return {
    name: text('name') || id,
    description: text('description'),
    details: text('details'),
    impact: text('impact'),
    category,
    subCategory: text('subCategory') || category.name,
    severity: readSeverity(at('severity'), map, report),
    remediation: text('remediation') || null,
    references: report.texts(at('references'), 'info.references'),
    tags: report.texts(at('tags'), 'info.tags'),
    cwe: report.texts(at('cwe'), 'info.cwe'),
    cve: report.texts(at('cve'), 'info.cve'),
    compliance: readCompliance(at('compliance'), report),
  }
}

/** What a match of a filter of this category means. */
export function roleOf({ category }: FilterInfo): FilterRole {
  if (category.name === 'SuccessfulExploit') return 'successful-exploit'
  return category.name === 'IgnoredEvent' ? 'ignored-event' : 'event'
}

function readCategory(
  node: YamlNode | undefined,
  map: YamlMap,
  report: FilterReport,
): FilterInfo['category'] {
  const isMap = node?.kind === 'map'
  if (isMap) report.otherKeys(node, CATEGORY_KEYS, 'warning')
  else if (node?.kind === 'list') report.error('info.category must be a map with a name.', node.place)
  const text = (key: string): string => report.text(entryOf(node, key), `info.category.${key}`)
  const name = node?.kind === 'scalar' ? report.text(node, 'info.category') : text('name')
  if (name === '') report.error('info.category.name is required', node?.place ?? map.place)
  return { name, displayName: text('displayName') || name, shortName: text('shortName') || null }
}

function readSeverity(node: YamlNode | undefined, map: YamlMap, report: FilterReport): FilterSeverity {
  const word = report.text(node, 'info.severity').toUpperCase()
  const severity = SEVERITIES.find((known) => known === word)
  if (severity !== undefined) return severity
  const message = word === '' ? 'info.severity is required' : `${word} is not a severity`
  report.error(
    `${message}: one of ${SEVERITIES.join(', ')}`,
    node?.place ?? map.place,
    nearestWord(word, SEVERITIES),
  )
  return 'LOW'
}

function readCompliance(node: YamlNode | undefined, report: FilterReport): FilterInfo['compliance'] {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return null
  if (node.kind !== 'map') {
    report.error('info.compliance must be a map of standards.', node.place)
    return null
  }
  const standards = Object.create(null) as Record<string, readonly string[]>
  for (const { key, value } of node.entries)
    standards[key] = report.texts(value, `info.compliance.${key}`) ?? []
  return standards
}
