import type { Condition, Problem, YamlEntry, YamlMap, YamlNode } from '../../rules/index.ts'
import { compileCondition } from '../../rules/index.ts'
import { readMap, readText, scalarOf } from './read-nodes.ts'
import { FLOW_WORDS, modificationsByName, readOperation } from './read-operation.ts'
import type { Report } from './report.ts'
import type { ExecutePlan, ExecuteType, Loop, Operation, Step, StepEntry } from './template.ts'
import { EXECUTE_TYPES } from './template.ts'

const MAX_STEPS = 100
const MAX_OPERATIONS = 500
const MAX_WAIT_SECONDS = 100
const TARGET = /^(?:x\d{1,3}|vulnerable|exit|untested)$/
const VARIABLE = /^\$\{([^}]+)\}$/

/** Reads `execute`: its first key gives the type, its second the requests, whatever they are called. */
export function readExecute(
  node: YamlNode,
  captures: ReadonlySet<string>,
  report: Report,
): ExecutePlan | null {
  const map = readMap(node, 'execute', report)
  if (map === null) return null
  const [first, second] = map.entries
  if (first === undefined || second === undefined) {
    report.error('execute needs a type and requests, in that order.', map.place)
    return null
  }
  const type = readType(first, report)
  const requests = second.value.kind === 'list' ? second.value.items : [second.value]
  if (requests.length > MAX_STEPS)
    report.error(`execute has more than ${MAX_STEPS} requests.`, second.keyPlace)
  if (requests.length === 0 && type !== 'passive') report.error('execute has no request.', second.keyPlace)
  const steps = requests
    .slice(0, MAX_STEPS)
    .map((request, index) => readStep(request, `x${index + 1}`, { type, captures }, report))
  if (type === 'single' && steps.length > 1)
    report.warn('Of a single plan only the first request is used.', second.keyPlace)
  const forEachCombination = steps[0]?.forEachCombination ?? false
  return { type, steps: steps.map((step) => ({ ...step, forEachCombination })), forEachCombination }
}

function readType(entry: YamlEntry, report: Report): ExecuteType {
  const word = scalarOf(entry.value)?.toLowerCase() ?? ''
  const known = EXECUTE_TYPES.find((type) => type === word)
  if (known === undefined)
    report.warn(`The type "${word}" is not known; it counts as single.`, entry.value.place)
  return known ?? 'single'
}

/** A step while it is read. */
interface Draft {
  operations: StepEntry[]
  validate: Condition | null
  success: string | null
  failure: string | null
  waitSeconds: number
  testName: string | null
}

function readStep(
  node: YamlNode,
  name: string,
  plan: { type: ExecuteType; captures: ReadonlySet<string> },
  report: Report,
): Step {
  const draft: Draft = {
    operations: [],
    validate: null,
    success: null,
    failure: null,
    waitSeconds: 0,
    testName: null,
  }
  for (const map of requestMaps(node, report))
    for (const entry of map.entries) readEntry(entry, draft, report)
  if (draft.operations.length > MAX_OPERATIONS)
    report.error(`A request has more than ${MAX_OPERATIONS} operations.`, node.place)
  const flags = (word: string): Operation | undefined =>
    draft.operations.findLast(
      (entry): entry is Operation => entry.kind === 'operation' && entry.name === word,
    )
  return {
    name,
    ...draft,
    followRedirects: String(flags('follow_redirect')?.key ?? true).toLowerCase() !== 'false',
    forEachCombination: String(flags('for_each_combination')?.key ?? false).toLowerCase() === 'true',
    sendsUnchanged: plan.type === 'single' && draft.operations.length === 0,
    captures: plan.captures,
    place: node.place,
  }
}

/** The maps below `req`, which is a list of maps or one map. */
function requestMaps(node: YamlNode, report: Report): YamlMap[] {
  const outer = readMap(node, 'A request', report)
  if (outer === null) return []
  const maps: YamlMap[] = []
  for (const { key, keyPlace, value } of outer.entries) {
    if (key.toLowerCase() !== 'req') {
      report.unknownWord(`A request holds "req", not "${key}".`, key, ['req'], keyPlace)
      continue
    }
    if (value.kind === 'scalar' && value.value === null) continue
    for (const item of value.kind === 'list' ? value.items : [value]) {
      const map = readMap(item, 'An operation', report)
      if (map !== null) maps.push(map)
    }
  }
  return maps
}

function readEntry(entry: YamlEntry, draft: Draft, report: Report): void {
  const word = entry.key.toLowerCase()
  if (FLOW_WORDS.includes(word)) readFlow(word, entry, draft, report)
  else if (VARIABLE.test(entry.key)) {
    const loop = readLoop(entry, report)
    if (loop !== null) draft.operations.push(loop)
  } else draft.operations.push(...readOperation(entry, report))
}

function readFlow(word: string, entry: YamlEntry, draft: Draft, report: Report): void {
  const { value, keyPlace } = entry
  switch (word) {
    case 'validate':
      draft.validate = readNested(value, report)
      return
    case 'success':
    case 'failure': {
      const target = scalarOf(value)?.trim() ?? ''
      if (!TARGET.test(target))
        report.error(`${word} names a step such as x2, vulnerable, exit or untested.`, value.place)
      draft[word] = target
      return
    }
    case 'wait': {
      const seconds = Number(scalarOf(value))
      if (!(seconds >= 0)) report.error('wait is a number of seconds.', value.place)
      if (seconds > MAX_WAIT_SECONDS) report.warn(`wait counts as ${MAX_WAIT_SECONDS} seconds.`, value.place)
      draft.waitSeconds = Math.min(seconds >= 0 ? seconds : 0, MAX_WAIT_SECONDS)
      return
    }
    case 'test_name':
      draft.testName = readText(value, report) || null
      if (draft.testName === null) report.error('test_name needs the id of a test.', keyPlace)
      return
  }
}

function readNested(node: YamlNode, report: Report): Condition | null {
  if (node.kind !== 'map') {
    report.error('validate of a request must be a map.', node.place)
    return null
  }
  return conditionOf(node, report)
}

/** Compiles a condition tree; null, with the reasons reported, when it is malformed. */
export function conditionOf(node: YamlNode, report: Report): Condition | null {
  const problems: Problem[] = []
  const condition = compileCondition(node, 'test', problems)
  report.problems.push(...problems)
  return condition
}

function readLoop(entry: YamlEntry, report: Report): Loop | null {
  const variable = VARIABLE.exec(entry.key)![1]!
  const map = readMap(entry.value, 'A loop', report)
  const inner = map?.entries.find(({ key }) => /^for_(?:all|one)$/i.test(key))
  if (inner === undefined) {
    report.unknownWord(
      `"${entry.key}" is not an operation; a loop over a captured list holds for_all or for_one.`,
      entry.key,
      [...modificationsByName.keys()],
      entry.keyPlace,
    )
    return null
  }
  const operations: Operation[] = []
  for (const item of inner.value.kind === 'list' ? inner.value.items : [inner.value])
    for (const operation of readMap(item, 'An operation', report)?.entries ?? [])
      operations.push(...readOperation(operation, report))
  return {
    kind: 'loop',
    variable,
    only: inner.key.toLowerCase() === 'for_one' ? 'first' : 'all',
    operations,
    place: entry.keyPlace,
  }
}
