import { localTime, secondsOf } from '../../data/time-zone.ts'

/** Periods that a page offers, by their word in the address. */
export const periods = [
  { value: '', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
  { value: 'all', label: 'All time' },
] as const

/** Start of a period of the address, epoch seconds, at the beginning of its hour; 0 for all time. */
export function periodStart(word: string, nowMs: number): number {
  if (word === 'all') return 0
  const days = Number(word) || 30
  return Math.floor(nowMs / 3_600_000) * 3600 - days * 86_400
}

/** A month as a date field has it: "2026-03". */
export function monthOf(atMs: number): string {
  return localTime(atMs / 1000).slice(0, 7)
}

/** First moment of a day in the shown time zone, epoch seconds; 0 when it is not a date. */
export function dayStart(date: string): number {
  return secondsOf(`${date}T00:00`)
}

/** The days of a month, the last one included; null when it is not a month. */
export function monthDays(month: string): { from: string; to: string } | null {
  const found = /^(\d{4})-(\d{2})$/.exec(month)
  if (found === null) return null
  const last = new Date(Number(found[1]), Number(found[2]), 0).getDate()
  return { from: `${month}-01`, to: `${month}-${String(last).padStart(2, '0')}` }
}
