import { compilePattern, entryOf, itemsOf, type Scalar, type YamlNode } from '../../rules/index.ts'
import { literalOf, readFlag, readMap, readText, refuseOtherKeys } from './read-nodes.ts'
import type { Report } from './report.ts'
import type { TemplateFields } from './template.ts'

const KEYS = ['variable', 'names', 'name', 'values', 'recorded_values', 'set_by_users'] as const

/** Reads `fields`: the field that is put into the requests, one candidate after another. */
export function readFields(node: YamlNode | undefined, report: Report): TemplateFields | null {
  const map = readMap(node, 'fields', report)
  if (map === null) return null
  refuseOtherKeys(map, 'fields', KEYS, report)
  const variable = readText(entryOf(map, 'variable'), report)
  const name = readText(entryOf(map, 'name'), report)
  const names = compilePattern(readText(entryOf(map, 'names'), report))
  const valueNode = entryOf(map, 'values')
  const values = valueNode === undefined ? [] : itemsOf(valueNode).map(literalOf)
  if (variable === '' || name === '' || values.length === 0)
    report.error('fields needs a variable, a name and values.', map.place)
  if (values.some((value) => typeof value === 'object'))
    report.error('values of fields must be texts, numbers or flags.', map.place)
  if (typeof names === 'string') {
    report.error(`names of fields cannot be used: ${names}.`, map.place)
    return null
  }
  return {
    variable,
    names,
    name,
    values: values as Scalar[],
    usesRecordedValues: readFlag(entryOf(map, 'recorded_values'), false, report),
    isSetByUsers: readFlag(entryOf(map, 'set_by_users'), false, report),
  }
}
