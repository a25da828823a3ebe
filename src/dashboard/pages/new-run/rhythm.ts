import type { Rhythm } from './run-plan.ts'

/** How often runs come back, in words. */
export const rhythms: readonly { value: Rhythm; label: string }[] = [
  { value: 'once', label: 'Once' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every 30 days' },
  { value: 'continuous', label: 'Continuously, whenever new endpoints appear' },
]

const periods = new Map<number, Rhythm>([
  [86_400, 'daily'],
  [604_800, 'weekly'],
  [2_592_000, 'monthly'],
])

/** The rhythm of a run whose period is given in seconds; -1 is continuous, 0 once. */
export function rhythmOf(periodSeconds: number): Rhythm {
  return periodSeconds < 0 ? 'continuous' : (periods.get(periodSeconds) ?? 'once')
}

/** Epoch seconds of what an input for local date and time holds; 0 when it is empty. */
export function secondsOf(local: string): number {
  const ms = new Date(local).getTime()
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}

/** Epoch seconds as an input for local date and time takes them, to the minute. */
export function localTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
