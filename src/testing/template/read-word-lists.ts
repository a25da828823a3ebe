import type { YamlMap, YamlNode } from '../../rules/index.ts'
import { entryOf } from '../../rules/index.ts'
import { readFlag, readMap, readText, scalarOf } from './read-nodes.ts'
import type { Report } from './report.ts'
import type { SampleLookup, WordListSpec } from './template.ts'

/** Most words of one list, and most lists of one template. */
const MAX_WORDS = 20_000
const MAX_LISTS = 200
/** Most random numbers of one list. */
const MAX_RANDOM = 1000
const LOCATIONS = ['header', 'payload', 'query_param', 'terminal_keys'] as const
const DYNAMIC = /^\$\{([^}]+)\}$/

/** Reads `wordLists`: static words, look-ups in samples, random numbers, one list for each captured name. */
export function readWordLists(node: YamlNode | undefined, report: Report): WordListSpec[] {
  const map = readMap(node, 'wordLists', report)
  if (map === null) return []
  if (map.entries.length > MAX_LISTS) {
    report.error(`wordLists has more than ${MAX_LISTS} lists.`, map.place)
    return []
  }
  return map.entries.flatMap(({ key, value }) => readWordList(key, value, report))
}

function readWordList(name: string, node: YamlNode, report: Report): WordListSpec[] {
  const variable = DYNAMIC.exec(name)?.[1]
  if (variable !== undefined) return readDynamic(variable, node, report)
  if (node.kind === 'list') {
    if (node.items.length > MAX_WORDS) {
      report.error(`The word list ${name} has more than ${MAX_WORDS} words.`, node.place)
      return []
    }
    return [{ name, kind: 'words', words: node.items.map((item) => wordOf(item, report)) }]
  }
  if (node.kind === 'scalar') {
    if (node.value === null) report.warn(`The word list ${name} is empty.`, node.place)
    return [{ name, kind: 'words', words: node.value === null ? [] : [String(node.value)] }]
  }
  const count = entryOf(node, 'count')
  if (count !== undefined) {
    const wanted = Number(scalarOf(count))
    if (Number.isInteger(wanted) && wanted > 0 && wanted <= MAX_RANDOM)
      return [{ name, kind: 'random', count: wanted }]
    report.error(`count must be a number from 1 to ${MAX_RANDOM}.`, count.place)
    return []
  }
  const lookup = readLookup(node, report)
  return lookup === null ? [] : [{ name, kind: 'samples', ...lookup }]
}

/** A word; of a map such as `- name: text`, which a colon in an unquoted text makes, the text. */
function wordOf(node: YamlNode, report: Report): string {
  if (node.kind === 'scalar') return node.value === null ? '' : String(node.value)
  const only = node.kind === 'map' && node.entries.length === 1 ? scalarOf(node.entries[0]!.value) : null
  if (only === null) report.error('A word must be a text.', node.place)
  else report.warn('The word is a map with one key; its value is taken. Quote the text.', node.place)
  return only ?? ''
}

function readDynamic(variable: string, node: YamlNode, report: Report): WordListSpec[] {
  const map = readMap(node, 'A list for each captured name', report)
  const body = entryOf(map, 'for_all') ?? entryOf(map, 'for_one')
  const lists = body === undefined ? null : readMap(body, 'for_all', report)
  if (lists === null) {
    if (body === undefined) report.error('for_all or for_one is expected below a captured name.', node.place)
    return []
  }
  const only = entryOf(map, 'for_all') === undefined ? 'first' : 'all'
  const outer = entryOf(map, 'all_apis')
  return lists.entries.flatMap(({ key, value }): WordListSpec[] => {
    const inner = readMap(value, 'A look-up', report)
    const lookup = inner === null ? null : readLookup(inner, report)
    if (lookup === null) return []
    const allApis = lookup.allApis || readFlag(outer, false, report)
    return [{ name: key, kind: 'dynamic', variable, only, lookup: { ...lookup, allApis } }]
  })
}

function readLookup(map: YamlMap, report: Report): SampleLookup | null {
  const key = entryOf(map, 'key')
  const regex = entryOf(key, 'regex')
  if (key === undefined || (key.kind !== 'scalar' && regex === undefined)) {
    report.error('A look-up needs a key: a name, or {regex: …}.', (key ?? map).place)
    return null
  }
  const where = scalarOf(entryOf(map, 'location'))
  const location = LOCATIONS.find((word) => word === where) ?? null
  if (where !== null && location === null)
    report.unknownWord(
      `"${where}" is none of ${LOCATIONS.join(', ')}.`,
      where,
      LOCATIONS,
      entryOf(map, 'location')!.place,
    )
  return {
    key: regex === undefined ? { name: readText(key, report) } : { pattern: readText(regex, report) },
    location,
    allApis: readFlag(entryOf(map, 'all_apis'), false, report),
  }
}
