import type { Rhythm } from './run-plan.ts'

/** How often runs come back, in words. */
export const rhythms: readonly { value: Rhythm; label: string }[] = [
  { value: 'once', label: 'Once' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
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
