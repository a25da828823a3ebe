import {
  type Condition,
  compileCondition,
  entryOf,
  type Problem,
  readYaml,
  type YamlMap,
  type YamlNode,
} from '../../rules/index.ts'
import type { Filter } from './filter.ts'
import { FilterReport } from './filter-report.ts'
import { readInfo, roleOf } from './read-info.ts'
import { readRules } from './read-rules.ts'

/** Every key at the top of a filter, in a sentence. */
export const FILTER_KEYS: Readonly<Record<string, string>> = {
  id: 'Name of the filter among all others: up to 128 letters, digits, `_`, `.`, `-` (required).',
  filter: 'Condition on each message: whether it is a threat.',
  success_filter:
    'Used if `filter` is absent: hits of one kind, such as successful logins, for rules that distinguish two kinds.',
  failure_filter: 'The other kind, such as logins that fail.',
  ignore: 'Condition on the same message: where it holds, there is no hit.',
  aggregation_rules: 'List of `rule`: hits are counted, and events written only when a rule fires.',
  info: 'What people read about it (required).',
  wordLists: 'Known and ignored.',
  execute: 'Known and ignored.',
}

/** Keys without a meaning here. */
const IDLE_KEYS = ['wordLists', 'execute']

/** Largest filter, in characters. */
const MAX_FILTER_LENGTH = 262_144
const FILTER_ID = /^[A-Za-z0-9_.-]{1,128}$/

/** A filter, or what keeps it from being used; warnings come with either. */
interface CompiledFilter {
  readonly filter: Filter | null
  readonly problems: readonly Problem[]
}

/**
 * Reads a filter of live traffic. One that comes out can be put into a set: its patterns are compiled, everything
 * malformed is refused with place and remedy. It neither throws nor takes long, whatever the text.
 */
export function compileFilter(yaml: string): CompiledFilter {
  const report = new FilterReport()
  if (yaml.length > MAX_FILTER_LENGTH) {
    report.error(`The text is longer than ${MAX_FILTER_LENGTH} characters.`, { line: 1, column: 1, path: '' })
    return { filter: null, problems: report.problems }
  }
  const { root, problems } = readYaml(yaml, 'refused')
  report.problems.push(...problems)
  let filter: Filter | null = null
  if (root?.kind === 'map') filter = readFilter(root, report)
  else if (!report.hasErrors)
    report.error('A filter is a map with id, filter and info.', { line: 1, column: 1, path: '' })
  return { filter: report.hasErrors ? null : filter, problems: report.problems }
}

/** A problem as a sentence for people: where, what, and the nearest word. */
export function problemText({ message, place, nearest }: Problem): string {
  const where = `line ${place.line}${place.path === '' ? '' : `, ${place.path}`}`
  return `${where}: ${message}${nearest === null ? '' : ` Did you mean ${nearest}?`}`
}

function readFilter(root: YamlMap, report: FilterReport): Filter | null {
  report.misspeltKeys(root, Object.keys(FILTER_KEYS), IDLE_KEYS)
  const at = (key: string): YamlNode | undefined => entryOf(root, key)
  const id = report.text(at('id'), 'id')
  if (id === '') report.error('id field cannot be empty', at('id')?.place ?? root.place)
  else if (!FILTER_ID.test(id))
    report.error('id takes up to 128 letters, digits, underscores, dots and dashes', at('id')!.place)
  const infoNode = at('info')
  const info = infoNode?.kind === 'map' ? readInfo(infoNode, id, report) : null
  if (info === null) report.error('info is required', infoNode?.place ?? root.place)
  const read = (key: string): Condition | null => readCondition(at(key), report)
  const main = {
    condition: read('filter'),
    successCondition: read('success_filter'),
    failureCondition: read('failure_filter'),
  }
  const has = (key: string): boolean => !isEmpty(at(key))
  const parts = { filter: has('filter'), success: has('success_filter'), failure: has('failure_filter') }
  if (!parts.filter && !parts.success && !parts.failure)
    report.error('filter field cannot be empty', at('filter')?.place ?? root.place)
  if (parts.filter && (parts.success || parts.failure))
    report.warn('success_filter and failure_filter are looked at only without filter.', root.place)
  const rules = readRules(at('aggregation_rules'), info, withoutIdle(parts), report)
  const ignoreCondition = read('ignore')
  if (info === null) return null
  const active = parts.filter
    ? { ...main, successCondition: null, failureCondition: null }
    : { ...main, condition: null }
  return { id, info, role: roleOf(info), ...active, ignoreCondition, rules }
}

/** Where `filter` stands, the other two are never looked at. */
function withoutIdle(parts: { filter: boolean; success: boolean; failure: boolean }): typeof parts {
  return parts.filter ? { filter: true, success: false, failure: false } : parts
}

function readCondition(node: YamlNode | undefined, report: FilterReport): Condition | null {
  return node === undefined || isEmpty(node) ? null : compileCondition(node, 'filter', report.problems)
}

function isEmpty(node: YamlNode | undefined): boolean {
  return node === undefined || (node.kind === 'scalar' && (node.value === null || node.value === ''))
}
