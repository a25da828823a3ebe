import { afterSteps, type CalendarStep } from '../../contract/zoned-time.ts'

/** Seconds between the end of a pass of a continuous run and the next. */
export const CONTINUOUS_PAUSE = 300

/** When a run was due, and how it repeats; times are epoch seconds. */
export interface Schedule {
  readonly last: number
  /** 0 once, above 0 recurring, -1 continuous. */
  readonly periodSeconds: number
  /** IANA name; empty: multiples of the period after `last`. */
  readonly zone: string
  /** With a zone: the time that the others are counted from, so that a run at another time does not move them. */
  readonly anchor: number
}

const calendarSteps = new Map<number, CalendarStep>([
  [86_400, { days: 1 }],
  [604_800, { days: 7 }],
  [2_592_000, { months: 1 }],
])

/** When a run is due after `now`; null when it does not repeat. */
export function nextSchedule({ last, periodSeconds, zone, anchor }: Schedule, now: number): number | null {
  // An extra execution of a run that waits for its time does not change that time.
  if (last > now) return last
  if (periodSeconds === 0) return null
  if (periodSeconds < 0) return now + CONTINUOUS_PAUSE
  const step = calendarSteps.get(periodSeconds)
  if (zone === '' || step === undefined)
    return last + (Math.floor((now - last) / periodSeconds) + 1) * periodSeconds
  return nextInZone(anchor || last, step, { zone, now, periodSeconds })
}

interface Clock {
  readonly zone: string
  readonly now: number
  readonly periodSeconds: number
}

function nextInZone(anchor: number, step: CalendarStep, { zone, now, periodSeconds }: Clock): number {
  // A month is 30.44 days on average and the period 30: begins so early that no time is left out.
  let steps = Math.max(0, Math.floor(((now - anchor) / periodSeconds) * 0.98) - 1)
  for (;;) {
    const at = afterSteps(anchor, step, steps++, zone)
    if (at > now) return at
  }
}
