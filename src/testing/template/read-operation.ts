import type { YamlEntry, YamlMap } from '../../rules/index.ts'
import { compilePattern } from '../../rules/index.ts'
import type { ModificationDefinition } from '../modifications/modification.ts'
import { MODIFICATIONS } from '../modifications/registry.generated.ts'
import { literalOf, scalarOf } from './read-nodes.ts'
import type { Report } from './report.ts'
import type { Operation } from './template.ts'

/** Operations by their names in lower case. */
export const modificationsByName: ReadonlyMap<string, ModificationDefinition> = new Map(
  MODIFICATIONS.map((definition) => [definition.name, definition]),
)

/** Keys of a request that steer the flow instead of editing. */
export const FLOW_WORDS: readonly string[] = ['validate', 'success', 'failure', 'wait', 'label', 'test_name']

/** The operations that one key of a request stands for: each pair, and each item of a list, is one. */
export function readOperation(entry: YamlEntry, report: Report): Operation[] {
  const name = entry.key.toLowerCase()
  const modification = modificationsByName.get(name)
  if (modification === undefined) {
    const legal = [...modificationsByName.keys(), ...FLOW_WORDS]
    report.unknownWord(`There is no operation "${entry.key}".`, name, legal, entry.keyPlace)
    return []
  }
  const operation = (key: Operation['key'], value: Operation['value']): Operation => ({
    kind: 'operation',
    name,
    modification,
    key,
    value,
    place: entry.keyPlace,
  })
  const { value: node } = entry
  const kinds = modification.arguments
  if (node.kind === 'map') {
    if (kinds.includes('forms') && checksForm(node, modification, report))
      return [operation(literalOf(node), undefined)]
    if (kinds.includes('pairs')) {
      if (node.entries.length === 0) report.error(`${name} needs a name with a value.`, node.place)
      return node.entries.map(({ key, value }) => operation(key, literalOf(value)))
    }
    if (!kinds.includes('forms')) report.error(`${name} takes a single value, not a map.`, node.place)
    return []
  }
  if (!kinds.includes('single')) {
    report.error(`${name} takes a map of a name to a value.`, node.place)
    return []
  }
  const items = node.kind === 'list' ? node.items : [node]
  if (items.length === 0) report.error(`${name} needs a value.`, node.place)
  return items.flatMap((item) => {
    if (item.kind !== 'scalar') report.error(`${name} takes a text, a number, true or false.`, item.place)
    return item.kind === 'scalar' ? [operation(item.value, undefined)] : []
  })
}

/** Whether a map is one of the forms of an operation; what is wrong with it is reported. */
function checksForm(
  map: YamlMap,
  { name, forms = {}, arguments: kinds }: ModificationDefinition,
  report: Report,
): boolean {
  const legal = Object.keys(forms)
  const isForm = map.entries.some(({ key }) => legal.includes(key))
  if (!isForm && kinds.includes('pairs')) return false
  if (map.entries.length === 0) report.error(`${name} needs one of ${legal.join(', ')}.`, map.place)
  for (const { key, keyPlace, value } of map.entries) {
    if (!legal.includes(key)) {
      report.unknownWord(`${name} has no form "${key}".`, key, legal, keyPlace)
      continue
    }
    const inner = forms[key] ?? []
    if (inner.length === 0) continue
    if (value.kind !== 'map') {
      report.error(`${key} must be a map.`, value.place)
      continue
    }
    for (const part of value.entries) checksPart(key, part, inner, report)
  }
  return true
}

function checksPart(
  form: string,
  { key, keyPlace, value }: YamlEntry,
  legal: readonly string[],
  report: Report,
): void {
  if (!legal.includes(key)) report.unknownWord(`${form} has no key "${key}".`, key, legal, keyPlace)
  if (key !== 'regex') return
  const source = scalarOf(value)
  if (source === null) report.error('regex must be a text.', value.place)
  else if (!source.includes('${')) {
    const pattern = compilePattern(source)
    if (typeof pattern === 'string') report.warn(`It never matches: ${pattern}.`, value.place)
  }
}
