import type { FieldValue, PageField } from '../page/survey-types.ts'

/** Values for text that are refused by few rules at once: digits, a name, an address, a date, a URL, a strong word. */
const texts = ['123456', 'Vigil', 'vigil@example.com', '2030-05-17', 'https://example.com/', 'Aa1!vigilVIGIL']
/** Orders of magnitude that rules for numbers ask for. */
const numbers = ['10', '100', '1', '1000000', '5551234567', '4111111111111111']

/**
 * Another value for a field that refused the one it has: what its hints ask for first ("10-1000", "6 digits"), then
 * values of other kinds. `round` counts from 0, `key` is one that nothing has yet; null when nothing is left to try, or the
 * field is not a text field.
 */
export function otherValue(field: PageField, round: number, key: string): FieldValue | null {
  if (!/^(?:text|number|textarea|tel|search|password|url|date|editable|email)$/.test(field.type)) return null
  const isNumber = field.type === 'number' || /numeric|\\d|0-9/.test(field.pattern)
  const wishes = [...asked(`${field.label} ${field.hint}`, key), ...ofPattern(field.pattern)]
  const general = isNumber ? numbers : field.type === 'password' ? [] : [texts[0]!, key, ...texts.slice(1)]
  const values = [...new Set([...wishes, ...general])]
  const text = values[round]
  if (text === undefined) return null
  return { index: field.index, text: field.maxLength > 0 ? text.slice(0, field.maxLength) : text }
}

/** Values that the words around a field ask for. */
function asked(hint: string, key: string): string[] {
  const found: string[] = []
  const isKey =
    /lower.?case|hyphen|url.?(?:friendly|safe)|slug|no spaces|kebab|kleinbuchstaben|bindestrich|unique|already (?:exists|taken|in use|used)|is taken|vergeben|existiert|ya existe|existe déjà/
  if (isKey.test(hint)) found.push(key)
  const range = /(\d{1,15})\s?(?:-|–|to|and|bis|und|a|et)\s?(\d{1,15})/.exec(hint)
  if (range && Number(range[1]) < Number(range[2]))
    found.push(range[1]!, String(middle(range[1]!, range[2]!)))
  const least = /(?:at least|min(?:imum)?(?: of)?|mindestens|greater than|≥|>=?)\s?(\d{1,15})/.exec(hint)
  if (least) found.push(String(Number(least[1]) + 1))
  const digits = /(\d{1,2})[\s-]?(?:digits?|stellen|chiffres|dígitos|figures)/.exec(hint)
  if (digits) found.push('1234567890'.repeat(10).slice(0, Number(digits[1])))
  const letters = /(\d{1,3})[\s-]?(?:characters|letters|chars|zeichen|caractères|caracteres)/.exec(hint)
  if (letters) found.push('vigil'.repeat(200).slice(0, Number(letters[1])))
  return found
}

/** A value for the commonest patterns: this many digits or capitals. */
function ofPattern(pattern: string): string[] {
  const count = Number(/\{(\d{1,3})(?:,\d{0,3})?\}/.exec(pattern)?.[1] ?? 0)
  if (count === 0) return []
  if (/\\d|0-9/.test(pattern)) return ['1234567890'.repeat(20).slice(0, count)]
  return [(/a-z/.test(pattern) ? 'vigil' : 'VIGIL').repeat(40).slice(0, count)]
}

function middle(low: string, high: string): number {
  return Math.floor((Number(low) + Number(high)) / 2)
}
