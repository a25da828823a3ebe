import type { AttemptEnvironment } from '../attempts/environment.ts'
import type { Literal, LiteralMap } from '../template/template.ts'

/** True for a map with the inner word, such as `regex_replace`. */
export function isMap(value: Literal | undefined): value is LiteralMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as the text it is written with; lists and maps as JSON. */
export function textOf(value: Literal | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** Text of one key of an inner map; undefined when the key is not there. */
export function textAt(map: LiteralMap, key: string): string | undefined {
  return Object.hasOwn(map, key) ? textOf(map[key]) : undefined
}

/** The value, or the time where the whole text asks for it. */
export function withClock(value: Literal | undefined, environment: AttemptEnvironment): Literal {
  if (value === '${current_epoch_seconds}') return String(environment.nowSeconds())
  if (value === '${current_epoch_millis}') return String(environment.nowSeconds() * 1000)
  return value ?? null
}
