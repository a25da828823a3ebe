import { useListAddress } from '../../data/list-address.ts'
import { startOfWindow, timeWindowIn } from '../../data/time-windows.ts'

const HOUR_SECONDS = 3600

/**
 * The window that the address asks for: from one moment to another (epoch seconds, as charts link to it), or a number of
 * days back. It begins with a whole hour, so that answers are kept. An end of 0 is now.
 */
export function useThreatWindow() {
  const address = useListAddress()
  const days = timeWindowIn(address.one)
  const [from, end] = [address.one('from'), address.one('to')].map((text) => Number(text) || 0) as [
    number,
    number,
  ]
  if (from > 0) return { address, days, start: from, end }
  return { address, days, start: startOfWindow(days, HOUR_SECONDS), end: 0 }
}
