import { compilePattern, type Pattern } from '../pattern.ts'
import type { Scalar } from '../variables/variables.ts'

/** Texts longer than this are remembered in lower case. */
const LONG = 200
let lastText = ''
let lastLowered = ''

/** Without outer blanks and case. Of long texts the last is remembered: many conditions look at the same body. */
export function lowered(text: string): string {
  if (text.length < LONG) return text.trim().toLowerCase()
  if (text !== lastText) {
    lastText = text
    lastLowered = text.trim().toLowerCase()
  }
  return lastLowered
}

/** True for `true`, as a boolean or as a text without regard to case. */
export function asBoolean(value: Scalar | undefined): boolean {
  return typeof value === 'boolean' ? value : lowered(String(value)) === 'true'
}

/** An integer, also from a text of digits; null for everything else. Large ones are exact. */
export function asInteger(value: unknown): number | bigint | null {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? value : null
  if (typeof value !== 'string' || !/^\s*[-+]?\d{1,100}\s*$/.test(value)) return null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value.trim().replace('+', ''))
}

/** A finite number, also from a text; null for everything else. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?\s*$/.test(value))
    return null
  return Number(value)
}

/** The patterns that can be used; blanks around them do not count. */
export function patternsOf(operands: readonly Scalar[]): Pattern[] {
  return operands
    .map((operand) => compilePattern(String(operand).trim()))
    .filter((pattern) => typeof pattern !== 'string')
}
