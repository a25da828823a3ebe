import { durationOf } from '../../http/index.ts'

/** Milliseconds of a unit that is written behind a number. */
const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000 }
/** With as many digits and the exponent that floating-point numbers have in JSON. */
const WRITTEN = /^(\d{1,30}(?:\.\d{1,60})?(?:[Ee][+-]?\d{1,3})?) ?(ns|us|µs|ms|s)?$/

/** Milliseconds per unit of a field; WHOLE_MS where fractions may be of a second or of a millisecond. */
export type FieldUnit = number | 'WHOLE_MS'

/** Milliseconds of a unit that nobody writes: servers log whole milliseconds, or seconds with a fraction. */
function usualUnit(number: string, unit: 'WHOLE_MS' | undefined): number | undefined {
  if (!/\.|e-/i.test(number)) return 1
  return unit === undefined ? 1000 : undefined
}

/**
 * Milliseconds of a duration as a log tells it: with its unit, else in the unit of its field, else in that which servers
 * use for such a number; undefined where there is none, or its unit is not certain.
 */
export function logDuration(text: string, fieldUnit?: FieldUnit): number | undefined {
  const [, number, unit] = WRITTEN.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  const known = typeof fieldUnit === 'number' ? fieldUnit : usualUnit(number, fieldUnit)
  const scale = unit === undefined ? known : UNITS[unit]!
  const milliseconds = scale === undefined ? undefined : durationOf(number, scale)
  return milliseconds === undefined ? undefined : Math.round(milliseconds * 1000) / 1000
}
