import { useListAddress } from '../../data/list-address.ts'

const DAY = 86_400

/** Lengths of time that pages about threats look back on. */
export const windows = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '0', label: 'All time' },
] as const

/**
 * The window that the address asks for: from one moment to another (epoch seconds, as charts link to it), or a number of
 * days back; the last 7 days unless it does. It begins with a whole hour, so that answers are kept. An end of 0 is now.
 */
export function useThreatWindow() {
  const address = useListAddress()
  const days = windows.find(({ value }) => value === address.one('days'))?.value ?? '7'
  const [from, end] = [address.one('from'), address.one('to')].map((text) => Number(text) || 0) as [
    number,
    number,
  ]
  if (from > 0) return { address, days, start: from, end }
  const hour = Math.floor(Date.now() / 3_600_000) * 3600
  return { address, days, start: days === '0' ? 0 : hour - Number(days) * DAY, end: 0 }
}
