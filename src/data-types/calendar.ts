const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** True for a day that exists in some year (29 February included). */
export function isDayOfMonth(day: number, month: number): boolean {
  return day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0)
}

/** True for a full date that exists in the calendar. */
export function isDate(year: number, month: number, day: number): boolean {
  if (!isDayOfMonth(day, month)) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month !== 2 || day < 29 || isLeap
}

const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T00:00:00(?:\.0+)?(?:Z|[+-]00:00)?)?$/
const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/
const DAY_FIRST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/
const YEAR_FIRST = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/

/** Year of a text that is one calendar date in a usual form (ISO, compact, day or month first), else undefined. */
export function yearOfDateText(text: string): number | undefined {
  const yearFirst = ISO_DATE.exec(text) ?? YEAR_FIRST.exec(text) ?? COMPACT_DATE.exec(text)
  if (yearFirst !== null) {
    const year = Number(yearFirst[1])
    return isDate(year, Number(yearFirst[2]), Number(yearFirst[3])) ? year : undefined
  }
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst === null) return undefined
  const year = Number(dayFirst[3])
  const [a, b] = [Number(dayFirst[1]), Number(dayFirst[2])]
  return isDate(year, b, a) || isDate(year, a, b) ? year : undefined
}
