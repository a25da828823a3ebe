import { durationOf } from '../../http/index.ts'

/** Milliseconds of a unit that is written behind a number. */
const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000 }
const WRITTEN = /^(\d{1,15}(?:\.\d{1,12})?) ?(ns|us|µs|ms|s)?$/

/** Milliseconds of a unit that nobody writes: servers log whole milliseconds, or seconds with a fraction. */
function usualUnit(number: string): number {
  return number.includes('.') ? 1000 : 1
}

/**
 * Milliseconds of a duration as a log tells it: with its unit, else in the unit of its field, else in that which servers
 * use for such a number; undefined where there is none.
 */
export function logDuration(text: string, msPerUnit?: number): number | undefined {
  const [, number, unit] = WRITTEN.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  const scale = unit === undefined ? (msPerUnit ?? usualUnit(number)) : UNITS[unit]!
  const milliseconds = durationOf(number, scale)
  return milliseconds === undefined ? undefined : Math.round(milliseconds * 1000) / 1000
}
