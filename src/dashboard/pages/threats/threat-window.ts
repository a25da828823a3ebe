import { useListAddress } from '../../data/list-address.ts'

const DAY = 86_400

/** Lengths of time that pages about threats look back on. */
export const windows = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '0', label: 'All time' },
] as const

/** The window that the address asks for; the last 7 days unless it does. It begins with a whole hour, so that answers are kept. */
export function useThreatWindow() {
  const address = useListAddress()
  const days = windows.find(({ value }) => value === address.one('days'))?.value ?? '7'
  const hour = Math.floor(Date.now() / 3_600_000) * 3600
  return { address, days, start: days === '0' ? 0 : hour - Number(days) * DAY }
}
