import type { ParameterRecord } from '../../../contract/browser.ts'

/** A parameter with all types it was seen with. */
export interface ParameterRow {
  readonly name: string
  readonly types: readonly { name: string; sensitive: boolean }[]
  readonly count: number
  readonly lastSeen: number
  readonly examples: readonly string[]
  /** "1 to 40", "3 distinct values"; empty when nothing is known. */
  readonly values: string
}

/** The parameters of one place. */
export interface ParameterGroup {
  readonly title: string
  readonly rows: readonly ParameterRow[]
}

const places: Record<ParameterRecord['position'], string> = {
  PATH: 'Path',
  QUERY: 'Query',
  REQUEST_HEADER: 'Request headers',
  COOKIE: 'Cookies',
  REQUEST_BODY: 'Request body',
  RESPONSE_HEADER: 'Response headers',
  RESPONSE_BODY: 'Response body',
}

const order = Object.keys(places)

/** `user#roles#$#name` → `user.roles[].name`. */
export function parameterPath(param: string): string {
  return param.replaceAll('#$', '[]').replaceAll('#', '.').replace(/^\$/, '[]')
}

function valuesOf(records: readonly ParameterRecord[]): string {
  const lows = records.flatMap((record) => (record.minValue === null ? [] : [record.minValue]))
  const highs = records.flatMap((record) => (record.maxValue === null ? [] : [record.maxValue]))
  if (lows.length > 0 && highs.length > 0) {
    const [low, high] = [Math.min(...lows), Math.max(...highs)]
    return low === high ? `always ${low}` : `${low} to ${high}`
  }
  const distinct = records.reduce((most, record) => Math.max(most, record.distinctValues ?? 0), 0)
  if (distinct === 0) return ''
  return distinct > 20 ? 'many values' : `${distinct} distinct ${distinct === 1 ? 'value' : 'values'}`
}

function rowOf(records: readonly ParameterRecord[]): ParameterRow {
  const sorted = [...records].sort((a, b) => b.count - a.count)
  return {
    name: parameterPath(records[0]?.param ?? ''),
    types: sorted.map((record) => ({ name: record.subTypeString, sensitive: record.sensitive })),
    count: sorted.reduce((most, record) => Math.max(most, record.count), 0),
    lastSeen: Math.max(...records.map((record) => record.lastSeen)),
    examples: [...new Set(sorted.flatMap((record) => record.examples))].slice(0, 5),
    values: valuesOf(records),
  }
}

/** Groups parameter records by place and, in responses, by status; one row for each name. */
export function parameterGroups(records: readonly ParameterRecord[]): ParameterGroup[] {
  const groups = new Map<string, { place: number; code: number; names: Map<string, ParameterRecord[]> }>()
  for (const record of records) {
    const key = `${record.position} ${record.responseCode}`
    const group = groups.get(key) ?? {
      place: order.indexOf(record.position),
      code: record.responseCode,
      names: new Map<string, ParameterRecord[]>(),
    }
    groups.set(key, group)
    group.names.set(record.param, [...(group.names.get(record.param) ?? []), record])
  }
  return [...groups.values()]
    .sort((a, b) => a.place - b.place || a.code - b.code)
    .map(({ place, code, names }) => ({
      title: `${places[order[place] as ParameterRecord['position']]}${code > 0 ? ` of status ${code}` : ''}`,
      rows: [...names.values()].map(rowOf),
    }))
}
