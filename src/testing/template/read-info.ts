import type { YamlMap, YamlNode } from '../../rules/index.ts'
import { entryOf } from '../../rules/index.ts'
import { readFlag, readMap, readText, readTexts, refuseOtherKeys, scalarOf } from './read-nodes.ts'
import type { Report } from './report.ts'
import type {
  Severity,
  TemplateAttributes,
  TemplateAuth,
  TemplateInfo,
  TemplateStrategy,
} from './template.ts'
import { SEVERITIES } from './template.ts'

export const INFO_KEYS = [
  'name',
  'description',
  'details',
  'impact',
  'remediation',
  'category',
  'subCategory',
  'severity',
  'tags',
  'references',
  'cwe',
  'cve',
  'compliance',
  'agenticTestingAllowed',
  'onlySmartTestingAllowed',
] as const
export const PLANS = ['FREE', 'STANDARD', 'PRO', 'ENTERPRISE'] as const
export const NATURES = ['INTRUSIVE', 'NON_INTRUSIVE'] as const
export const DURATIONS = ['FAST', 'SLOW'] as const
const CATEGORY_KEYS = ['name', 'shortName', 'displayName'] as const

/** Reads `info`. An unknown key is an error, an unknown severity counts as HIGH. */
export function readInfo(map: YamlMap, id: string, report: Report): TemplateInfo {
  refuseOtherKeys(map, 'info', INFO_KEYS, report)
  const at = (key: (typeof INFO_KEYS)[number]): YamlNode | undefined => entryOf(map, key)
  const category = readMap(at('category'), 'info.category', report)
  if (category === null) report.error('info.category is missing.', map.place)
  else refuseOtherKeys(category, 'info.category', CATEGORY_KEYS, report)
  const code = readText(entryOf(category, 'name'), report)
  return {
    name: readText(at('name'), report) || id,
    description: readText(at('description'), report),
    details: readText(at('details'), report),
    impact: readText(at('impact'), report),
    remediation: readText(at('remediation'), report),
    category: {
      name: code,
      shortName: readText(entryOf(category, 'shortName'), report) || code,
      displayName: readText(entryOf(category, 'displayName'), report) || code,
    },
    subCategory: id,
    severity: readSeverity(at('severity'), map, report),
    tags: readTexts(at('tags'), report),
    references: readTexts(at('references'), report),
    cwe: readTexts(at('cwe'), report),
    cve: readTexts(at('cve'), report),
    compliance: readCompliance(at('compliance'), report),
    agenticTestingAllowed: readFlag(at('agenticTestingAllowed'), false, report),
    onlySmartTestingAllowed: readFlag(at('onlySmartTestingAllowed'), false, report),
  }
}

function readSeverity(node: YamlNode | undefined, info: YamlMap, report: Report): TemplateInfo['severity'] {
  const word = scalarOf(node) ?? ''
  if (word === 'dynamic_severity') return word
  if (SEVERITIES.includes(word as Severity)) return word as Severity
  report.warn(
    `The severity is none of ${SEVERITIES.join(', ')}: it counts as HIGH.`,
    node?.place ?? info.place,
  )
  return 'HIGH'
}

function readCompliance(node: YamlNode | undefined, report: Report): ReadonlyMap<string, readonly string[]> {
  const map = readMap(node, 'info.compliance', report)
  return new Map(map?.entries.map(({ key, value }) => [key.toUpperCase(), readTexts(value, report)]))
}

/** Reads `attributes`; unknown keys and words are errors. */
export function readAttributes(node: YamlNode | undefined, report: Report): TemplateAttributes {
  const map = readMap(node, 'attributes', report)
  if (map !== null) refuseOtherKeys(map, 'attributes', ['plan', 'nature', 'duration'], report)
  return {
    plan: readWord(entryOf(map, 'plan'), PLANS, report),
    nature: readWord(entryOf(map, 'nature'), NATURES, report),
    duration: readWord(entryOf(map, 'duration'), DURATIONS, report),
  }
}

function readWord<T extends string>(
  node: YamlNode | undefined,
  legal: readonly T[],
  report: Report,
): T | null {
  if (node === undefined) return null
  const word = scalarOf(node) ?? ''
  if (legal.includes(word as T)) return word as T
  report.unknownWord(`"${word}" is none of ${legal.join(', ')}.`, word, legal, node.place)
  return null
}

/** Reads `auth`; null when the template has none. */
export function readAuth(node: YamlNode | undefined, report: Report): TemplateAuth | null {
  const map = readMap(node, 'auth', report)
  if (map === null) return null
  refuseOtherKeys(map, 'auth', ['authenticated', 'headers'], report)
  const headers = entryOf(map, 'headers')
  return {
    authenticated: readFlag(entryOf(map, 'authenticated'), undefined, report),
    headers: headers === undefined ? null : readTexts(headers, report),
  }
}

/** Reads `strategy`; any value of `run_once` but false turns it on. */
export function readStrategy(node: YamlNode | undefined, report: Report): TemplateStrategy {
  const map = readMap(node, 'strategy', report)
  const once = entryOf(map, 'run_once')
  return {
    runOnce: once !== undefined && scalarOf(once)?.toLowerCase() !== 'false' && scalarOf(once) !== null,
    insertVulnApi: readFlag(entryOf(map, 'insertVulnApi'), false, report),
  }
}
