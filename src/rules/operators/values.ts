import { compilePattern, type Pattern } from '../pattern.ts'
import type { Scalar } from '../variables/variables.ts'

/** Texts longer than this are remembered: many conditions look for the same words in the same bodies. */
const LONG = 200
/** Bodies and headers of a sample and an attempt. */
const MAX_REMEMBERED = 4

interface Remembered {
  readonly text: string
  readonly lowered: string
  readonly words: Map<string, boolean>
}

const remembered: Remembered[] = []

/** Without outer blanks and case. */
export function lowered(text: string): string {
  if (text.length < LONG) return text.trim().toLowerCase()
  for (const one of remembered) if (one.text === text) return one.lowered
  const fresh = { text, lowered: text.trim().toLowerCase(), words: new Map() }
  if (remembered.length >= MAX_REMEMBERED) remembered.pop()
  remembered.unshift(fresh)
  return fresh.lowered
}

/** Whether a text holds a word; both are in lower case, the text as {@link lowered} gave it. */
export function holdsWord(text: string, word: string): boolean {
  if (text.length < LONG) return text.includes(word)
  const words = remembered.find((one) => one.lowered === text)?.words
  const known = words?.get(word)
  if (known !== undefined) return known
  const holds = text.includes(word)
  words?.set(word, holds)
  return holds
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

/** Whether one of the patterns is found in a value that is a text; blanks around texts and patterns do not count. */
export function findsPattern(operands: readonly Scalar[]): (datum: unknown) => boolean {
  const patterns = patternsOf(operands)
  return (datum) => {
    if (typeof datum !== 'string') return false
    const text = datum.trim()
    return patterns.some((pattern) => pattern.test(text))
  }
}

/** The patterns that can be used; blanks around them do not count. */
export function patternsOf(operands: readonly Scalar[]): Pattern[] {
  return operands
    .map((operand) => compilePattern(String(operand).trim()))
    .filter((pattern) => typeof pattern !== 'string')
}
