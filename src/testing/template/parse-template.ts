import { nearestWord } from '../../kit/index.ts'
import type { Condition, Problem, YamlMap, YamlNode } from '../../rules/index.ts'
import { entryOf, readYaml } from '../../rules/index.ts'
import { capturesOf } from './captures.ts'
import { mapCallbackHost } from './map-callback-host.ts'
import { needsOf } from './needs-of.ts'
import { readCause } from './read-cause.ts'
import { conditionOf, readExecute } from './read-execute.ts'
import { readFields } from './read-fields.ts'
import { readAttributes, readAuth, readInfo, readStrategy } from './read-info.ts'
import { readFlag, readMap, scalarOf } from './read-nodes.ts'
import { modificationsByName } from './read-operation.ts'
import { readPositions } from './read-positions.ts'
import { readWordLists } from './read-word-lists.ts'
import { Report } from './report.ts'
import type { ExecutePlan, Severity, SeverityRule, Template } from './template.ts'
import { SEVERITIES } from './template.ts'

/** Keys at the top of a template. */
export const TEMPLATE_KEYS = [
  'id',
  'info',
  'attributes',
  'auth',
  'api_selection_filters',
  'wordLists',
  'execute',
  'positions',
  'fields',
  'validate',
  'dynamic_severity',
  'strategy',
  'cause',
  'inactive',
  'estimatedTokens',
] as const

/** A template, or what keeps it from being used; warnings come with either. */
interface ParsedTemplate {
  readonly template: Template | null
  readonly problems: readonly Problem[]
}

const MAX_ID_CHARS = 200

/**
 * Reads a security test. A template that comes out can be run; anything malformed is refused with its place: unknown
 * names, broken nesting, requests that nothing would judge.
 *
 * @param file name of the file, for a template that fails before its id is known
 */
export function parseTemplate(text: string, file: string): ParsedTemplate {
  const report = new Report()
  const { root, problems } = readYaml(text)
  report.problems.push(...problems)
  if (root === null && !report.hasErrors) report.error(`${file} is empty.`, { line: 1, column: 1, path: '' })
  const map = root === null ? null : readMap(root, 'A template', report)
  const template = map === null ? null : readTemplate(map, text, report)
  return { template: report.hasErrors ? null : template, problems: report.problems }
}

function readTemplate(root: YamlMap, source: string, report: Report): Template | null {
  const at = (key: (typeof TEMPLATE_KEYS)[number]): YamlNode | undefined => entryOf(root, key)
  if (entryOf(root, 'filter') !== undefined && at('api_selection_filters') === undefined) {
    report.error('This is a filter of live traffic, not a security test.', root.place)
    return null
  }
  warnOfOtherKeys(root, report)
  const id = readId(at('id'), root, report)
  const infoMap = readMap(required(root, 'info', report), 'info', report)
  const filterNode = required(root, 'api_selection_filters', report)
  const executeNode = required(root, 'execute', report)
  if (id === null || infoMap === null || filterNode === undefined || executeNode === undefined) return null
  const info = readInfo(infoMap, id, report)
  const attributes = readAttributes(at('attributes'), report)
  const auth = readAuth(at('auth'), report)
  const filters = conditionOf(filterNode, report)
  const validateNode = at('validate')
  const validate = validateNode === undefined ? null : conditionOf(validateNode, report)
  const listed = readWordLists(at('wordLists'), report)
  const fields = readFields(at('fields'), report)
  const own = fields === null ? [] : [fields.variable, `${fields.variable}_value`]
  const captures = new Set([...capturesOf(root), ...own])
  const plan = readExecute(executeNode, captures, report)
  const positions = readPositions(at('positions'), captures, report)
  const severityRules = readSeverityRules(at('dynamic_severity'), report)
  const strategy = readStrategy(at('strategy'), report)
  const cause = readCause(at('cause'), info, report)
  const inactive = readFlag(at('inactive'), null, report)
  if (filters === null || plan === null) return null
  if (validateNode === undefined && !info.onlySmartTestingAllowed) refuseUnjudged(plan, root, report)
  const { execute, wordLists } = mapCallbackHost(plan, listed, modificationsByName.get('send_ssrf_req')!)
  const needs = needsOf(root, info, wordLists, execute)
  return {
    ...{ id, info, attributes, auth, filters, validate, wordLists, execute, positions, fields },
    ...{ severityRules, strategy, cause, inactive, source, needs },
  }
}

function required(root: YamlMap, key: (typeof TEMPLATE_KEYS)[number], report: Report): YamlNode | undefined {
  const node = entryOf(root, key)
  if (node === undefined) report.error(`${key} is missing.`, root.place)
  return node
}

function readId(node: YamlNode | undefined, root: YamlMap, report: Report): string | null {
  const id = scalarOf(node)?.trim() ?? ''
  if (id !== '' && id.length <= MAX_ID_CHARS) return id
  report.error(
    id === '' ? 'id is missing.' : `id is longer than ${MAX_ID_CHARS} characters.`,
    node?.place ?? root.place,
  )
  return null
}

/** A word nearly that of a key is probably meant as one; anything else is somebody's own note. */
function warnOfOtherKeys(root: YamlMap, report: Report): void {
  for (const { key, keyPlace } of root.entries) {
    if ((TEMPLATE_KEYS as readonly string[]).includes(key)) continue
    report.warn(`The key "${key}" is ignored.`, keyPlace, nearestWord(key, TEMPLATE_KEYS))
  }
}

/** Every step needs a condition that judges it; without one every answer would count as a finding. */
function refuseUnjudged(plan: ExecutePlan, root: YamlMap, report: Report): void {
  const steps = plan.type === 'single' ? plan.steps.slice(0, 1) : plan.steps
  const unjudged = steps.find((step) => step.validate === null && step.testName === null)
  if (unjudged === undefined && steps.length > 0) return
  const what = unjudged === undefined ? 'the sample' : `request ${unjudged.name}`
  report.error(`validate is missing, and nothing else judges ${what}.`, unjudged?.place ?? root.place)
}

function readSeverityRules(node: YamlNode | undefined, report: Report): SeverityRule[] {
  if (node === undefined) return []
  if (node.kind !== 'list') {
    report.error('dynamic_severity must be a list.', node.place)
    return []
  }
  return node.items.flatMap((item): SeverityRule[] => {
    const map = readMap(item, 'A rule of dynamic_severity', report)
    if (map === null) return []
    const word = scalarOf(entryOf(map, 'return')) as Severity
    if (!SEVERITIES.includes(word)) report.error(`return is none of ${SEVERITIES.join(', ')}.`, map.place)
    const checkNode = entryOf(map, 'check')
    const check: Condition | null = checkNode === undefined ? null : conditionOf(checkNode, report)
    return checkNode !== undefined && check === null ? [] : [{ check, severity: word }]
  })
}
