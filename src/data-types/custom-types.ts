import { shortPattern } from '../kit/short-pattern.ts'
import type { Location, Severity } from './data-type.ts'
import type { ValueContext } from './detector.ts'

type CustomOperator =
  | 'REGEX'
  | 'STARTS_WITH'
  | 'ENDS_WITH'
  | 'EQUALS_TO'
  | 'CONTAINS'
  | 'IS_NUMBER'
  | 'BELONGS_TO'
  | 'NOT_BELONGS_TO'

/** One test of a key or a value. `value` is a text, for the two BELONGS operators a list, for IS_NUMBER unused. */
interface CustomPredicate {
  readonly operator: CustomOperator
  readonly value?: string | readonly string[]
}

/** Predicates joined by AND or OR; an empty list of predicates holds for nothing. */
export interface CustomConditions {
  readonly operator: 'AND' | 'OR'
  readonly predicates: readonly CustomPredicate[]
}

/** A data type that a user defined. */
export interface CustomDataType {
  readonly name: string
  readonly isActive: boolean
  readonly keyConditions?: CustomConditions
  readonly valueConditions?: CustomConditions
  /** How key and value conditions are joined when both are there. */
  readonly operator: 'AND' | 'OR'
  readonly severity?: Severity
  readonly sensitiveAlways: boolean
  readonly sensitiveIn: readonly Location[]
  /** Keys where the type is never reported. */
  readonly ignoredKeys?: readonly string[]
}

/** A definition that could not be compiled, with the pattern or operator that is to blame. */
interface CustomTypeError {
  readonly name: string
  readonly reason: string
}

/** Compiled custom types. */
export interface CustomDetector {
  /** Names of the active types whose conditions hold, types that are sensitive somewhere first. */
  readonly detect: (value: string, context: ValueContext) => readonly string[]
  readonly isSensitive: (name: string, location: Location) => boolean
  readonly errors: readonly CustomTypeError[]
}

type Test = (text: string) => boolean

/** Longest value that user patterns are run over. */
const MAX_TESTED_CHARS = 4_096
const NONE: readonly string[] = Object.freeze([])

/**
 * Compiles the types that users defined. Patterns run in a linear-time engine and must match the whole text. A type with an
 * error is left out and named in `errors`; the others work.
 */
export function compileCustomTypes(types: readonly CustomDataType[]): CustomDetector {
  const errors: CustomTypeError[] = []
  const compiled = types.flatMap((type) => {
    try {
      return type.isActive ? [{ type, holds: compileType(type) }] : []
    } catch (error) {
      errors.push({ name: type.name, reason: error instanceof Error ? error.message : String(error) })
      return []
    }
  })
  compiled.sort((a, b) => Number(isSensitiveSomewhere(b.type)) - Number(isSensitiveSomewhere(a.type)))
  const byName = new Map(compiled.map(({ type }) => [type.name, type]))
  return {
    errors,
    detect(value, context) {
      let names: string[] | undefined
      for (const { type, holds } of compiled) {
        if (!holds(context.key, value)) continue
        names ??= []
        names.push(type.name)
      }
      return names ?? NONE
    },
    isSensitive(name, location) {
      const type = byName.get(name)
      return type !== undefined && (type.sensitiveAlways || type.sensitiveIn.includes(location))
    },
  }
}

function isSensitiveSomewhere(type: CustomDataType): boolean {
  return type.sensitiveAlways || type.sensitiveIn.length > 0
}

function compileType(type: CustomDataType): (key: string, value: string) => boolean {
  const key = type.keyConditions === undefined ? undefined : compileConditions(type.keyConditions)
  const value =
    type.valueConditions === undefined ? undefined : bounded(compileConditions(type.valueConditions))
  if (key === undefined && value === undefined) throw new Error('neither key nor value conditions are given')
  const ignored = new Set(type.ignoredKeys ?? [])
  const isEither = type.operator === 'OR'
  return (keyText, valueText) => {
    if (ignored.has(keyText)) return false
    if (key === undefined) return value!(valueText)
    if (value === undefined) return key(keyText)
    return isEither ? key(keyText) || value(valueText) : key(keyText) && value(valueText)
  }
}

/** Values over the limit hold no user condition. */
function bounded(test: Test): Test {
  return (text) => text.length <= MAX_TESTED_CHARS && test(text)
}

function compileConditions({ operator, predicates }: CustomConditions): Test {
  const tests = predicates.map(compilePredicate)
  if (tests.length === 0) throw new Error('a list of conditions is empty')
  return operator === 'OR'
    ? (text) => tests.some((test) => test(text))
    : (text) => tests.every((test) => test(text))
}

function compilePredicate(predicate: CustomPredicate): Test {
  const { operator } = predicate
  switch (operator) {
    case 'REGEX':
      return compilePattern(textOf(predicate))
    case 'STARTS_WITH': {
      const wanted = textOf(predicate)
      return (text) => text.startsWith(wanted)
    }
    case 'ENDS_WITH': {
      const wanted = textOf(predicate)
      return (text) => text.endsWith(wanted)
    }
    case 'EQUALS_TO': {
      const wanted = textOf(predicate)
      return (text) => text === wanted
    }
    case 'CONTAINS': {
      const wanted = textOf(predicate)
      return (text) => text.includes(wanted)
    }
    case 'IS_NUMBER':
      return (text) => text.trim() !== '' && Number.isFinite(Number(text))
    case 'BELONGS_TO':
    case 'NOT_BELONGS_TO': {
      const members = new Set(listOf(predicate))
      return operator === 'BELONGS_TO' ? (text) => members.has(text) : (text) => !members.has(text)
    }
    default:
      throw new Error(`the operator "${String(operator)}" is not known`)
  }
}

function textOf({ operator, value }: CustomPredicate): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${operator} needs a text`)
  return value
}

function listOf({ operator, value }: CustomPredicate): readonly string[] {
  if (typeof value === 'string' || value === undefined || value.length === 0)
    throw new Error(`${operator} needs a list of texts`)
  return value
}

function compilePattern(pattern: string): Test {
  try {
    return shortPattern(pattern).matches
  } catch (error) {
    throw new Error(
      `the pattern "${pattern}" is not usable: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
