import { nearestWord } from '../../kit/index.ts'
import { entryOf, itemsOf, type YamlMap, type YamlNode } from '../../rules/index.ts'
import type { AggregationRule, DistinctIdentifier, FilterInfo, FilterPart, RuleScope } from './filter.ts'
import type { FilterReport } from './filter-report.ts'

/** Every key of the `condition` of a rule, in a sentence. */
export const RULE_KEYS: Readonly<Record<string, string>> = {
  matchCount:
    'Hits inside the window that make the rule fire (required unless `distinctIdentifier` is given).',
  windowThreshold: 'Length of the window in minutes of message time, the current one included (required).',
  incrementFilter: 'Hits of which condition count: `success_filter` or `failure_filter`; all unless given.',
  thresholdBreachFilter: 'The condition whose hit fires the rule once the threshold is reached.',
  distinctIdentifier: 'Counts different values instead of hits: `count`, `source` and `key`.',
  perEndpoint: '`true`: counts each endpoint of an actor separately.',
}
const MAX_RULES = 20
const MAX_COUNT = 10_000_000
/** A day. */
const MAX_WINDOW_MINUTES = 1_440
const MAX_DISTINCT = 10_000
/** Where a distinct value may stand. */
export const DISTINCT_SOURCES = [
  'request_payload',
  'response_payload',
  'request_headers',
  'response_headers',
  'query_param',
  'url',
] as const satisfies readonly DistinctIdentifier['source'][]
const PARTS: ReadonlyMap<string, FilterPart> = new Map([
  ['filter', 'filter'],
  ['success_filter', 'success'],
  ['failure_filter', 'failure'],
])

/** The conditions that a filter has. */
type PartsPresent = Readonly<Record<FilterPart, boolean>>

/** The `aggregation_rules` of a filter; whatever is wrong with one is an error. */
export function readRules(
  node: YamlNode | undefined,
  info: FilterInfo | null,
  parts: PartsPresent,
  report: FilterReport,
): AggregationRule[] {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return []
  const items = itemsOf(node)
  if (items.length > MAX_RULES) report.error(`There are more than ${MAX_RULES} rules.`, node.place)
  const rules: AggregationRule[] = []
  for (const [index, item] of items.slice(0, MAX_RULES).entries()) {
    const rule = ruleOf(item, report)
    if (rule === null) continue
    const isLimit = index === 0 && info?.subCategory === 'API_LEVEL_RATE_LIMITING'
    const read = readRule(rule, index, isLimit, parts, report)
    if (read === null) continue
    if (rules.some(({ name }) => name === read.name))
      report.error(`Another rule is named ${read.name} too.`, rule.place)
    rules.push(read)
  }
  return rules
}

/** `- rule: {…}`, or the rule itself. */
function ruleOf(item: YamlNode, report: FilterReport): YamlMap | null {
  const inner = entryOf(item, 'rule') ?? item
  if (inner.kind === 'map') return inner
  report.error('A rule is a map with name and condition.', inner.place)
  return null
}

function readRule(
  map: YamlMap,
  index: number,
  isLimit: boolean,
  parts: PartsPresent,
  report: FilterReport,
): AggregationRule | null {
  report.otherKeys(map, ['name', 'condition', 'post_aggregate_condition'], 'error')
  const condition = entryOf(map, 'condition')
  if (condition?.kind !== 'map') {
    report.error('condition is required, with matchCount and windowThreshold.', condition?.place ?? map.place)
    return null
  }
  report.otherKeys(condition, Object.keys(RULE_KEYS), 'error')
  const at = (key: string): YamlNode | undefined => entryOf(condition, key)
  const distinct = readDistinct(at('distinctIdentifier'), report)
  const matchCount =
    distinct !== null && at('matchCount') === undefined
      ? distinct.count
      : report.integer(at('matchCount'), 'matchCount', 1, MAX_COUNT, condition.place)
  const window = at('windowThreshold')
  const windowMinutes = report.integer(window, 'windowThreshold', 1, MAX_WINDOW_MINUTES, condition.place)
  if (matchCount === null || windowMinutes === null) return null
  return {
    name: report.text(entryOf(map, 'name'), 'name') || `rule ${index + 1}`,
    matchCount,
    windowMinutes,
    countedPart: readPart(at('incrementFilter'), 'incrementFilter', parts, report),
    firingPart: readPart(at('thresholdBreachFilter'), 'thresholdBreachFilter', parts, report),
    distinct,
    scope: isLimit ? 'endpoint' : readScope(at('perEndpoint'), report),
  }
}

function readScope(node: YamlNode | undefined, report: FilterReport): RuleScope {
  const word = report.text(node, 'perEndpoint').toLowerCase()
  if (node !== undefined && word !== 'true' && word !== 'false')
    report.error('perEndpoint is true or false.', node.place)
  return word === 'true' ? 'actor-endpoint' : 'actor'
}

function readPart(
  node: YamlNode | undefined,
  what: string,
  parts: PartsPresent,
  report: FilterReport,
): FilterPart | null {
  if (node === undefined) return null
  const word = report.text(node, what)
  const part = PARTS.get(word)
  if (part === undefined)
    report.error(
      `${what} is success_filter or failure_filter.`,
      node.place,
      nearestWord(word, [...PARTS.keys()]),
    )
  else if (!parts[part]) report.error(`${what} names ${word}, which the filter has not.`, node.place)
  return part ?? null
}

function readDistinct(node: YamlNode | undefined, report: FilterReport): DistinctIdentifier | null {
  if (node === undefined) return null
  if (node.kind !== 'map') {
    report.error('distinctIdentifier is a map with count, source and key.', node.place)
    return null
  }
  report.otherKeys(node, ['count', 'source', 'key'], 'error')
  const count = report.integer(entryOf(node, 'count'), 'count', 1, MAX_DISTINCT, node.place)
  const sourceNode = entryOf(node, 'source')
  const word = report.text(sourceNode, 'source')
  const source = DISTINCT_SOURCES.find((known) => known === word)
  if (source === undefined)
    report.error(
      `source is one of ${DISTINCT_SOURCES.join(', ')}.`,
      sourceNode?.place ?? node.place,
      nearestWord(word, DISTINCT_SOURCES),
    )
  const key = report.text(entryOf(node, 'key'), 'key')
  if (key === '' && source !== 'url') report.error('key is required, the name of the field.', node.place)
  return count === null || source === undefined ? null : { count, source, key: source === 'url' ? '' : key }
}
