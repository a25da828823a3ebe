import type { ParameterRecord } from '../../../contract/browser.ts'
import { pathParts } from '../../components/endpoint/path-parts.ts'

/** A parameter with all types it was seen with. */
export interface ParameterRow {
  readonly name: string
  readonly types: readonly { name: string; sensitive: boolean }[]
  readonly count: number
  readonly lastSeen: number
  readonly examples: readonly string[]
  /** "1 to 40", "12 distinct values"; empty when nothing is known, or the examples are all there is. */
  readonly values: string
}

/** The parameters of one place. */
export interface ParameterGroup {
  readonly title: string
  readonly rows: readonly ParameterRow[]
}

/** In the order of interest: what the application made comes before what every message has. */
const places: Record<ParameterRecord['position'], string> = {
  PATH: 'Path',
  QUERY: 'Query',
  REQUEST_BODY: 'Request body',
  RESPONSE_BODY: 'Response body',
  COOKIE: 'Cookies',
  REQUEST_HEADER: 'Request headers',
  RESPONSE_HEADER: 'Response headers',
}

const order = Object.keys(places)

/** `user#roles#$#name` → `user.roles[].name`. */
export function parameterPath(param: string): string {
  return param.replaceAll('#$', '[]').replaceAll('#', '.').replace(/^\$/, '[]')
}

function valuesOf(records: readonly ParameterRecord[], examples: readonly string[]): string {
  const lows = records.flatMap((record) => (record.minValue === null ? [] : [record.minValue]))
  const highs = records.flatMap((record) => (record.maxValue === null ? [] : [record.maxValue]))
  if (lows.length > 0 && highs.length > 0) {
    const [low, high] = [Math.min(...lows), Math.max(...highs)]
    if (low !== high) return `${low} to ${high}`
  }
  const distinct = records.reduce((most, record) => Math.max(most, record.distinctValues ?? 0), 0)
  if (distinct <= examples.length) return ''
  return distinct > 20 ? 'many values' : `${distinct} distinct ${distinct === 1 ? 'value' : 'values'}`
}

/** Parameters of the path are recorded by their segment; people know them by the name that the path shows. */
function nameOf({ position, param, url }: ParameterRecord): string {
  if (position !== 'PATH') return parameterPath(param)
  const part = pathParts(url, true).parts.find(
    (one) => one.kind === 'parameter' && one.segment === Number(param),
  )
  return part?.kind === 'parameter' ? `{${part.name}}` : `segment ${Number(param) + 1}`
}

function rowOf(records: readonly [ParameterRecord, ...ParameterRecord[]]): ParameterRow {
  const sorted = [...records].sort((a, b) => b.count - a.count)
  const examples = [...new Set(sorted.flatMap((record) => record.examples))].slice(0, 5)
  return {
    name: nameOf(records[0]),
    types: sorted.map((record) => ({ name: record.subTypeString, sensitive: record.sensitive })),
    count: sorted.reduce((most, record) => Math.max(most, record.count), 0),
    lastSeen: Math.max(...records.map((record) => record.lastSeen)),
    examples,
    values: valuesOf(records, examples),
  }
}

/** Groups parameter records by place and, in responses, by status; one row for each name. */
export function parameterGroups(records: readonly ParameterRecord[]): ParameterGroup[] {
  const groups = new Map<
    string,
    { place: number; code: number; names: Map<string, [ParameterRecord, ...ParameterRecord[]]> }
  >()
  for (const record of records) {
    const key = `${record.position} ${record.responseCode}`
    const group = groups.get(key) ?? {
      place: order.indexOf(record.position),
      code: record.responseCode,
      names: new Map<string, [ParameterRecord, ...ParameterRecord[]]>(),
    }
    groups.set(key, group)
    const known = group.names.get(record.param)
    if (known === undefined) group.names.set(record.param, [record])
    else known.push(record)
  }
  return [...groups.values()]
    .sort((a, b) => a.place - b.place || a.code - b.code)
    .map(({ place, code, names }) => ({
      title: `${places[order[place] as ParameterRecord['position']]}${code > 0 ? ` of status ${code}` : ''}`,
      rows: [...names.values()].map(rowOf),
    }))
}
