import type { useListAddress } from './list-address.ts'

const DAY_SECONDS = 86_400

/** Days that lists and charts look back on; 0 for all time. */
export const timeWindows = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '0', label: 'All time' },
] as const

/** The window that is chosen unless an address says otherwise. */
const USUAL = '7'

/** The window that an address asks for. */
export function timeWindowIn(one: ReturnType<typeof useListAddress>['one']): string {
  return timeWindows.find(({ value }) => value === one('days'))?.value ?? USUAL
}

/** What a chosen window changes in the address. */
export function timeWindowChange(days: string | null): { days: string } {
  return { days: days === null || days === USUAL ? '' : days }
}

/**
 * When a window begins, in epoch seconds; 0 for all time.
 *
 * @param stepSeconds the moment is a multiple of this, so that the same address is answered from the cache for a while
 */
export function startOfWindow(days: string, stepSeconds: number): number {
  const now = Math.floor(Date.now() / 1000 / stepSeconds) * stepSeconds
  return days === '0' ? 0 : now - Number(days) * DAY_SECONDS
}
