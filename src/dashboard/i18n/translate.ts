import { shownLanguage } from './language.ts'
import { type Message, piecesOf, type ValuesOf } from './message.ts'
import { shared } from './messages/en/shared.ts'
import { shell } from './messages/en/shell.ts'
import type { en } from './messages/en.ts'

type English = typeof en

/** Names of the messages. */
export type MessageKey = keyof English

/** A message without values: for labels that are kept in tables and read when they are shown. */
export type PlainKey = {
  [Key in MessageKey]: English[Key] extends string
    ? keyof ValuesOf<English[Key], string> extends never
      ? Key
      : never
    : never
}[MessageKey]

/** The messages of another language. */
export type Catalogue = {
  readonly [Key in MessageKey]: English[Key] extends string ? string : { one: string; other: string }
}

type Arguments<Key extends MessageKey, Value> = keyof ValuesOf<English[Key], Value> extends never
  ? []
  : [values: ValuesOf<English[Key], Value>]

const number = new Intl.NumberFormat(shownLanguage)
const englishNumber = new Intl.NumberFormat('en')
const plurals = new Intl.PluralRules(shownLanguage)
const englishPlurals = new Intl.PluralRules('en')
/** Those of every page; other parts add theirs when they are loaded. */
const english: Partial<Record<MessageKey, Message>> = { ...shared, ...shell }
let messages: Readonly<Partial<Record<MessageKey, Message>>> = english

/** Adds the English messages of a part of the dashboard, which comes with it: the first view is small. */
export function addMessages(part: Partial<Record<MessageKey, Message>>): void {
  Object.assign(english, part)
}

/** A message of every page in English, whatever is shown. */
export function englishText(key: PlainKey): string {
  return String(english[key] ?? key)
}

/**
 * Loads the messages of the shown language; English is here from the start, and stays if another cannot be loaded. The
 * files that the first view needs read texts when they show them: they are loaded before the messages are.
 */
export async function loadMessages(): Promise<void> {
  try {
    if (shownLanguage === 'de') messages = (await import('./messages/de.ts')).de
  } catch (error) {
    console.error(`The messages in ${shownLanguage} could not be loaded`, error)
  }
}

/** The text of a message in the shown language before its values are in it. */
export function textOf(key: MessageKey, count?: unknown): string {
  const message = messages[key] ?? english[key] ?? key
  if (typeof message === 'string') return message
  return plurals.select(Number(count)) === 'one' ? message.one : message.other
}

/** A value as it is written in the shown language. */
export function valueText(value: unknown): string {
  return typeof value === 'number' ? number.format(value) : String(value)
}

/** A message in the shown language; numbers are written as that language writes them. */
export function t<Key extends MessageKey>(key: Key, ...[values]: Arguments<Key, string | number>): string {
  const given: Readonly<Record<string, unknown>> = { ...values }
  return piecesOf(textOf(key, given['count']))
    .map((piece, at) => (at % 2 === 0 ? piece : valueText(given[piece])))
    .join('')
}

/** {@link t} in English, whatever is shown: for what pages share, on those that are not translated. */
export function inEnglish<Key extends MessageKey>(
  key: Key,
  ...[values]: Arguments<Key, string | number>
): string {
  const given: Readonly<Record<string, unknown>> = { ...values }
  const message = english[key] ?? key
  const isOne = englishPlurals.select(Number(given['count'])) === 'one'
  const text = typeof message === 'string' ? message : isOne ? message.one : message.other
  const written = (value: unknown) =>
    typeof value === 'number' ? englishNumber.format(value) : String(value)
  return piecesOf(text)
    .map((piece, at) => (at % 2 === 0 ? piece : written(given[piece])))
    .join('')
}
