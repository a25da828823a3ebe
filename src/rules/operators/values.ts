import { compilePattern } from '../pattern.ts'

/** Without outer blanks and case. */
export function lowered(text: string): string {
  return text.trim().toLowerCase()
}

/** A 32-bit integer, also from a text of digits; null for everything else. */
export function asInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[-+]?\d{1,10}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= 2 ** 31 ? number : null
}

/** A finite number, also from a text; null for everything else. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?\s*$/.test(value))
    return null
  return Number(value)
}

/** Whether a pattern is found in a text; blanks around both and a byte order mark do not count. */
export function finds(source: string, text: string): boolean {
  const pattern = compilePattern(source.trim())
  return typeof pattern !== 'string' && pattern.test(text.replace(/^\uFEFF/, '').trim())
}
