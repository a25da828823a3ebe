import { shownLanguage } from '../i18n/language.ts'

const number = new Intl.NumberFormat(shownLanguage)

/** What stands where a value is not known: its answer is on the way, or failed. */
export const unknownText = '–'

/** A count with its digits in groups: 1,204; a dash while it is not known. */
export function countText(count: number | undefined): string {
  return count === undefined ? unknownText : number.format(count)
}

/** "1 test", "1,204 tests". */
export function countOf(count: number, word: string, plural = `${word}s`): string {
  return `${number.format(count)} ${count === 1 ? word : plural}`
}

/** A constant as people say it: `THIRD_PARTY` is "Third party". */
export function constantText(constant: string): string {
  return constant.charAt(0) + constant.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** Environments whose names are abbreviations. */
const environmentWords: Readonly<Record<string, string>> = {
  QA: 'QA',
  DEV: 'Development',
  INTEG: 'Integration',
  UAT: 'User acceptance (UAT)',
  PREPROD: 'Pre-production',
}

/** An environment in words: "Pre-production" for `PREPROD`. */
export function environmentWord(environment: string): string {
  return environmentWords[environment] ?? constantText(environment)
}

/** A length of time in words, from seconds: "42 s", "3 min 5 s", "2 h 10 min". */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A length of time from milliseconds: "42 ms", "1.2 s". */
export function millisecondsText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${number.format(milliseconds)} ms`
  return `${number.format(Math.round(milliseconds / 100) / 10)} s`
}
