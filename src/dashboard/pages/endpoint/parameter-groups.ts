import { type ParameterRecord, parameterPositionLabels } from '../../../contract/browser.ts'

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

const order = Object.keys(parameterPositionLabels)

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

function rowOf(records: readonly [ParameterRecord, ...ParameterRecord[]]): ParameterRow {
  const sorted = [...records].sort((a, b) => b.count - a.count)
  const examples = [...new Set(sorted.flatMap((record) => record.examples))].slice(0, 5)
  return {
    name: records[0].displayName,
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
      title: `${parameterPositionLabels[order[place] as ParameterRecord['position']]}${code > 0 ? ` of status ${code}` : ''}`,
      rows: [...names.values()].map(rowOf),
    }))
}
