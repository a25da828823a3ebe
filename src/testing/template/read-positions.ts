import { compilePattern, entryOf, type Pattern, type YamlNode } from '../../rules/index.ts'
import { readFlag, readMap, readText, refuseOtherKeys } from './read-nodes.ts'
import type { Report } from './report.ts'
import { POSITION_PARTS, type PositionPart, type TemplatePositions } from './template.ts'

const KEYS = ['in', 'variable', 'likely', 'recorded', 'probe', 'secrets'] as const

/**
 * Reads `positions`: the part of the request whose named values are tried one after another.
 *
 * @param captures names that the conditions of the template save; one of them takes the name of each position, unless
 *   it is a segment of the path
 */
export function readPositions(
  node: YamlNode | undefined,
  captures: ReadonlySet<string>,
  report: Report,
): TemplatePositions | null {
  const map = readMap(node, 'positions', report)
  if (map === null) return null
  refuseOtherKeys(map, 'positions', KEYS, report)
  const part = readText(entryOf(map, 'in'), report) as PositionPart
  if (!POSITION_PARTS.includes(part))
    report.unknownWord(`in is none of ${POSITION_PARTS.join(', ')}.`, part, POSITION_PARTS, map.place)
  const variable = readText(entryOf(map, 'variable'), report)
  if (variable === '' || (part !== 'path' && !captures.has(variable)))
    report.error('variable names no variable that api_selection_filters extracts.', map.place)
  const patterns = (['likely', 'recorded'] as const).map((key): Pattern | null => {
    const source = readText(entryOf(map, key), report)
    const pattern = source === '' ? null : compilePattern(source)
    if (typeof pattern !== 'string') return pattern
    report.error(`${key} cannot be used: ${pattern}.`, map.place)
    return null
  })
  const [likely = null, recorded = null] = patterns
  const probe = readText(entryOf(map, 'probe'), report) || null
  const includesSecrets = readFlag(entryOf(map, 'secrets'), false, report)
  return { part, variable, likely, recorded, probe, includesSecrets }
}
