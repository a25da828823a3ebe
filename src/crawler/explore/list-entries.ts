/** Entries of a list whose values are kept, names of them, and how deep in an answer a list is looked for. */
const MOST_ENTRIES = 60
const MOST_NAMES = 20
const LIST_DEPTH = 4
/** Entries that two properties tell apart, at most. */
const MOST_PAIRS = 2_000

/** What an entry of a list is known by, in this order where its address does not tell. */
export const ID_NAMES: readonly string[] = ['id', 'uuid', '_id', 'key', 'name', 'slug', 'code', 'identifier']

/** Names of the time when something was made. */
const MADE = /^(?:created|inserted|added)/i

/** A record in a list. */
export type Entry = Readonly<Record<string, unknown>>

/** The first list of records in an answer, and the name of the property that holds it; empty where the answer is it. */
interface NamedList {
  readonly name: string
  readonly entries: readonly Entry[]
}

/** Values by name. */
export type Values = ReadonlyMap<string, readonly string[]>

/** Values of two properties of one entry. */
export type Pair = readonly [string, string]

/** The first list of records in an answer; null without. */
export function listOf(body: string): NamedList | null {
  try {
    return listIn(JSON.parse(body))
  } catch {
    // Cut off, or not JSON after all.
    return null
  }
}

/** Entries by a number that all are known by, or by when they were made; else those that stand last first. */
export function newestFirst(list: readonly Entry[]): readonly Entry[] {
  const names = Object.keys(list[0] ?? {})
  const age = [
    ...names.filter((name) => /^_?id$|^pk$/i.test(name)),
    ...names.filter((name) => MADE.test(name)),
  ].find((name) => list.every((entry) => !Number.isNaN(ageOf(entry[name]))))
  if (age === undefined) return [...list].reverse()
  return [...list].sort((left, right) => ageOf(right[age]) - ageOf(left[age]))
}

/** A number, or the time of a date; not a number for anything else. */
function ageOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  return /^\d{1,15}$/.test(value)
    ? Number(value)
    : /^\d{4}-\d\d-\d\d/.test(value)
      ? Date.parse(value)
      : Number.NaN
}

/** Short values of entries, by their names. */
export function valuesOf(entries: readonly Entry[]): Values {
  const values = new Map<string, Set<string>>()
  for (const entry of entries.slice(0, MOST_ENTRIES))
    for (const [name, value] of Object.entries(entry).slice(0, MOST_NAMES)) {
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
      if (text !== '' && text.length <= 100)
        values.set(name, (values.get(name) ?? new Set<string>()).add(text))
    }
  return new Map([...values].map(([name, each]) => [name, [...each]]))
}

function listIn(answer: unknown): NamedList | null {
  let level: (readonly [string, unknown])[] = [['', answer]]
  for (let depth = 0; depth < LIST_DEPTH; depth++) {
    for (const [name, value] of level)
      if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) return { name, entries: value }
    level = level.flatMap(([, value]) => (isRecord(value) ? Object.entries(value) : [])).slice(0, 500)
  }
  return null
}

/** The record in an answer: the answer itself, or what its only property holds. Empty without. */
export function recordIn(answer: string): Entry {
  let read: unknown
  try {
    read = JSON.parse(answer)
  } catch {
    // Cut off, or not JSON.
    return {}
  }
  return recordOf(read) ?? {}
}

/** The same of an answer that was read; null without. */
export function recordOf(answer: unknown): Entry | null {
  if (!isRecord(answer)) return null
  const [only, ...others] = Object.values(answer)
  return others.length === 0 && isRecord(only) ? only : answer
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first two properties of entries that have no id, where only both tell them apart. */
export function pairsOf(entries: readonly Entry[]): readonly Pair[] {
  const list = entries.slice(0, MOST_PAIRS)
  const [first = '', second = ''] = Object.keys(list[0] ?? {})
  if (list.some((entry) => ID_NAMES.some((name) => Object.hasOwn(entry, name)))) return []
  const pairs = list.map((entry) => [entry[first], entry[second]] as const)
  const isText = pairs.every((pair) => pair.every((each) => typeof each === 'string' && each !== ''))
  const isUnique = new Set(pairs.map(([each]) => each)).size === list.length
  if (!isText || isUnique || new Set(pairs.map((pair) => JSON.stringify(pair))).size < list.length) return []
  return pairs as readonly Pair[]
}

/** Values of both, the first ones first. */
export function merged(some: Values, others: Values): Values {
  return new Map(
    [...new Set([...some.keys(), ...others.keys()])].map((name) => {
      const values = new Set([...(some.get(name) ?? []), ...(others.get(name) ?? [])])
      return [name, [...values].slice(0, MOST_ENTRIES)]
    }),
  )
}
