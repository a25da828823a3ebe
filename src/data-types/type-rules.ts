import { isNamedCredential } from './credential-key.ts'
import { type CustomDetector, compileCustomTypes } from './custom-types.ts'
import { LOCATIONS, type Location } from './data-type.ts'
import { customDataType, type DataTypeRecord } from './data-type-record.ts'
import { DATA_TYPES } from './registry.generated.ts'
import { isSensitive, wirePosition } from './sensitivity.ts'

/** What people decided about data types, compiled: their own types, and settings of built-in ones. */
export interface TypeRules {
  /** Types that people defined; null when there is no active one, which is the usual case. */
  readonly custom: CustomDetector | null
  /** Built-in types that are not looked for; null for none. */
  readonly inactive: ReadonlySet<string> | null
  /** Types whose values are masked before storage; null for none. */
  readonly redacted: ReadonlySet<string> | null
  /** Names whose sensitivity is not that of the registry: custom types, and built-in ones with changed settings. */
  readonly decided: readonly string[]
  /** Whether a type at a place, under a key, is a concern. */
  readonly isSensitive: (name: string, location: Location, key: string) => boolean
  /** Whether a value of a type, at a place and under a key, may be kept as an example for people. */
  readonly mayShow: (name: string, location: Location, key: string, value: unknown) => boolean
  /** Equal texts mean equal rules. */
  readonly fingerprint: string
}

/** A credential belongs in these headers, whatever its type. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'proxy-authorization'])

/** True when a built-in type at a place is a concern, as Vigil comes. */
function isSensitiveByDefault(name: string, location: Location, key: string): boolean {
  if (location === 'REQUEST_HEADER' && CREDENTIAL_HEADERS.has(key) && TOKENS.has(name)) return false
  return isSensitive(name, location)
}

const TOKENS = new Set(
  DATA_TYPES.filter(({ category }) => category === 'TOKEN' || category === 'SECRET').map(({ name }) => name),
)

/** Types that are sensitive at some place: their values are not examples at the others either. */
const CONFIDENTIAL = new Set(
  DATA_TYPES.filter(({ sensitiveIn }) => sensitiveIn !== 'NEVER').map(({ name }) => name),
)
/** Shorter cookies are settings (`lang=en`); longer ones may be sessions. */
const SHORT_COOKIE = 16

function mayShowByDefault(name: string, location: Location, key: string, value: unknown): boolean {
  if (CONFIDENTIAL.has(name) || isNamedCredential(key, value)) return false
  if (location === 'REQUEST_HEADER') return !CREDENTIAL_HEADERS.has(key)
  const isCookie = location === 'COOKIE' || location === 'SET_COOKIE'
  return !isCookie || String(value).length < SHORT_COOKIE
}

/** Rules while nobody decided anything. */
export const DEFAULT_RULES: TypeRules = Object.freeze({
  custom: null,
  inactive: null,
  redacted: null,
  decided: [],
  isSensitive: isSensitiveByDefault,
  mayShow: mayShowByDefault,
  fingerprint: '',
})

/** Compiles the settings of all data types. Those that cannot be compiled are left out; saving refuses them. */
export function typeRulesOf(records: readonly DataTypeRecord[]): TypeRules {
  const changed = records.filter((record) => !record.isBuiltIn || record.updatedBy !== null)
  if (changed.length === 0) return DEFAULT_RULES
  const builtIns = changed.filter((record) => record.isBuiltIn)
  const customs = changed.filter((record) => !record.isBuiltIn && record.isActive)
  const custom = customs.length === 0 ? null : compileCustomTypes(customs.map(customDataType))
  const placesOf = new Map(builtIns.map((record) => [record.name, sensitivePlaces(record)]))
  const customNames = new Set(changed.filter((record) => !record.isBuiltIn).map(({ name }) => name))
  const hidden = new Set(
    changed
      .filter((type) => type.isRedacted || type.isAlwaysSensitive || type.positions.length > 0)
      .map(({ name }) => name),
  )
  return {
    custom,
    inactive: namesOf(builtIns.filter((record) => !record.isActive)),
    redacted: namesOf(changed.filter((record) => record.isRedacted && record.isActive)),
    decided: changed.map(({ name }) => name),
    isSensitive(name, location, key) {
      if (customNames.has(name)) return custom?.isSensitive(name, location) === true
      const places = placesOf.get(name)
      if (places === 'DEFAULT' || places === undefined) return isSensitiveByDefault(name, location, key)
      return places.includes(location)
    },
    mayShow: (name, location, key, value) =>
      !hidden.has(name) && mayShowByDefault(name, location, key, value),
    fingerprint: JSON.stringify(changed.map((record) => ({ ...record, updatedBy: '', updatedAt: 0 }))),
  }
}

function namesOf(records: readonly DataTypeRecord[]): ReadonlySet<string> | null {
  return records.length === 0 ? null : new Set(records.map(({ name }) => name))
}

/**
 * Where a built-in type with its own settings is sensitive. The wire knows four positions, the registry nine places:
 * at a position that the registry names as well its finer choice stays, a position that a person added holds for all of
 * its places.
 */
function sensitivePlaces(record: DataTypeRecord): readonly Location[] | 'DEFAULT' {
  if (!record.isActive) return []
  const { sensitiveIn } = DATA_TYPES.find(({ name }) => name === record.name)!
  if (record.isAlwaysSensitive) return sensitiveIn === 'ALWAYS' ? 'DEFAULT' : LOCATIONS
  const byDefault = sensitiveIn === 'ALWAYS' ? LOCATIONS : sensitiveIn === 'NEVER' ? [] : sensitiveIn
  const known = new Set(byDefault.map(wirePosition))
  const isUnchanged =
    sensitiveIn !== 'ALWAYS' &&
    known.size === new Set(record.positions).size &&
    record.positions.every((position) => known.has(position))
  if (isUnchanged) return 'DEFAULT'
  return LOCATIONS.filter((location) => {
    const position = wirePosition(location)
    if (!record.positions.includes(position)) return false
    return !known.has(position) || byDefault.includes(location)
  })
}
