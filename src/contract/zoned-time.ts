/** Whether a name is a time zone of the IANA database that this program knows. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Epoch seconds as a field for date and time takes them, to the minute: "2026-03-01T09:30". */
export function localTime(seconds: number, zone: string): string {
  return localParts(seconds, zone).slice(0, 16)
}

/** Epoch seconds of a local date and time with or without seconds; 0 when it is none. */
export function secondsOf(local: string, zone: string): number {
  const asUtc = Date.parse(`${local}Z`) / 1000
  if (Number.isNaN(asUtc)) return 0
  const ahead = (seconds: number) => Date.parse(`${localParts(seconds, zone)}Z`) / 1000 - seconds
  // The second step is for times near a change of the clocks, where the first took the wrong side of it.
  return asUtc - ahead(asUtc - ahead(asUtc))
}

export interface CalendarStep {
  readonly days?: number
  readonly months?: number
}

/**
 * The moment that many steps of a calendar after another, at the same time of day in a zone, whatever the clocks did
 * meanwhile. A month without the day has its last one instead.
 *
 * @param start epoch seconds
 */
export function afterSteps(
  start: number,
  { days = 0, months = 0 }: CalendarStep,
  steps: number,
  zone: string,
): number {
  const [date = '', time = ''] = localParts(start, zone).split('T')
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months * steps, 0)).getUTCDate()
  const moved = new Date(Date.UTC(year, month - 1 + months * steps, Math.min(day, lastDay) + days * steps))
  return secondsOf(`${moved.toISOString().slice(0, 10)}T${time}`, zone)
}

function localParts(seconds: number, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hourCycle: 'h23',
    timeZone: zone,
  })
  return format.format(seconds * 1000).replace(' ', 'T')
}
