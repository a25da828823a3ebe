import {
  builtInRecord,
  compileCustomTypes,
  customDataType,
  DATA_TYPES,
  type DataTypeRecord,
  type TypeMatcher,
  type TypeRules,
  typeMatcherOf,
  typeRulesOf,
} from '../data-types/index.ts'
import { Failure, nowSeconds, storableJson } from '../kit/index.ts'
import type { Store } from '../store/index.ts'

/** What is stored of a type: all of a custom one, the changed settings of a built-in one. */
type Stored = Omit<DataTypeRecord, 'name' | 'isBuiltIn' | 'updatedBy' | 'updatedAt'>

interface StoredRow {
  name: string
  definition: Stored
  updated_by: string
  updated_at: number
}

const NAME = /^[A-Z][A-Z0-9_]{0,59}$/

/** All data types: built-in ones first, then those of users, by name. */
export async function listDataTypes(store: Store): Promise<DataTypeRecord[]> {
  const { rows } = await store.pool.query<StoredRow>(
    'SELECT name, definition, updated_by, updated_at FROM custom_data_types ORDER BY name',
  )
  const stored = new Map(rows.map((row) => [row.name, row]))
  const builtIns = DATA_TYPES.map(builtInRecord).sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set(builtIns.map((record) => record.name))
  const changed = builtIns.map((record) => {
    const row = stored.get(record.name)
    if (row === undefined) return record
    const { isActive, isRedacted, isAlwaysSensitive, positions } = row.definition
    const settings = { isActive, isRedacted, isAlwaysSensitive, positions }
    return { ...record, ...settings, updatedBy: row.updated_by, updatedAt: row.updated_at }
  })
  const custom = rows
    .filter((row) => !names.has(row.name))
    .map((row) => ({
      ...row.definition,
      name: row.name,
      isBuiltIn: false,
      updatedBy: row.updated_by,
      updatedAt: row.updated_at,
    }))
  return [...changed, ...custom]
}

/** A data type as people describe it. */
export type DataTypeSettings = Omit<DataTypeRecord, 'isBuiltIn' | 'updatedBy' | 'updatedAt'>

/**
 * A data type that can be stored: a custom one, or the settings of a built-in one.
 *
 * @throws Failure INVALID_DATA_TYPE_NAME, INVALID_DATA_TYPE, DATA_TYPE_FIXED
 */
export function checkedDataType(record: DataTypeSettings, login: string): Omit<DataTypeRecord, 'updatedAt'> {
  const { name } = record
  if (!NAME.test(name)) throw new Failure('INVALID_DATA_TYPE_NAME', {})
  const builtIn = DATA_TYPES.find((type) => type.name === name)
  const isBuiltIn = builtIn !== undefined
  const hasConditions = record.keyConditions !== null || record.valueConditions !== null
  if (isBuiltIn && hasConditions) throw new Failure('DATA_TYPE_FIXED', {})
  if (!isBuiltIn) {
    if (!hasConditions) throw new Failure('INVALID_DATA_TYPE', { reason: 'it needs key or value conditions' })
    const own = { ...record, isBuiltIn, updatedBy: login, updatedAt: 0, isActive: true }
    const [error] = compileCustomTypes([customDataType(own)]).errors
    if (error) throw new Failure('INVALID_DATA_TYPE', { reason: error.reason })
  }
  const known = builtIn === undefined ? {} : builtInRecord(builtIn)
  const { isActive, isRedacted, isAlwaysSensitive, positions } = record
  const settings = { isActive, isRedacted, isAlwaysSensitive, positions }
  return { ...record, ...known, ...settings, isBuiltIn, updatedBy: login }
}

/**
 * Stores a user's type, or the settings of a built-in one.
 *
 * @throws Failure INVALID_DATA_TYPE_NAME, INVALID_DATA_TYPE, DATA_TYPE_FIXED
 */
export async function saveDataType(
  store: Store,
  record: DataTypeSettings,
  login: string,
): Promise<DataTypeRecord> {
  checkedDataType(record, login)
  const { name, ...definition } = record
  const now = nowSeconds()
  await store.pool.query(
    `INSERT INTO custom_data_types (name, definition, is_active, updated_by, updated_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, is_active = excluded.is_active,
       updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    [name, storableJson(definition), record.isActive, login, now],
  )
  const saved = (await listDataTypes(store)).find((type) => type.name === name)
  if (saved === undefined) throw new Error(`data type ${name} was not stored`)
  return saved
}

/** Reads the rules in force from the store. */
export async function loadTypeRules(store: Store): Promise<TypeRules> {
  return typeRulesOf(await listDataTypes(store))
}

/** Matcher for the data types in force. */
export async function loadTypeMatcher(store: Store): Promise<TypeMatcher> {
  return typeMatcherOf(await loadTypeRules(store))
}
