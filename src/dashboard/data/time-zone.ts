const KEY = 'vigil-time-zone'

/** The zone that this browser's system has. */
const systemZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false // another version of the browser knew it
  }
}

function readZone(): string {
  try {
    const kept = globalThis.localStorage?.getItem(KEY) ?? ''
    return kept !== '' && isZone(kept) ? kept : systemZone
  } catch {
    return systemZone // storage is forbidden here
  }
}

/** The zone in which times are shown; it is read once, when the pages start. */
export const shownZone = readZone()

/** Epoch seconds as a field for date and time takes them, to the minute: "2026-03-01T09:30". */
export function localTime(seconds: number, zone = shownZone): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
    timeZone: zone,
  })
  return format.format(seconds * 1000).replace(' ', 'T')
}

/** Epoch seconds of what a field for date and time holds; 0 when it is empty. */
export function secondsOf(local: string, zone = shownZone): number {
  const asUtc = Date.parse(`${local}Z`) / 1000
  if (Number.isNaN(asUtc)) return 0
  const ahead = (seconds: number) => Date.parse(`${localTime(seconds, zone)}Z`) / 1000 - seconds
  // The second step is for times near a change of the clocks, where the first took the wrong side of it.
  return asUtc - ahead(asUtc - ahead(asUtc))
}

/** Keeps a zone for this browser; the pages start anew, so that every time is in it. */
export function chooseZone(zone: string): void {
  if (zone === systemZone) globalThis.localStorage.removeItem(KEY)
  else globalThis.localStorage.setItem(KEY, zone)
  globalThis.location.reload()
}

/** Zones to choose from: UTC, that of the system, and all others by name. */
export function zoneChoices(): { value: string; label: string }[] {
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== systemZone && zone !== 'UTC')
  return [
    { value: systemZone, label: `${systemZone} (this computer)` },
    ...(systemZone === 'UTC' ? [] : [{ value: 'UTC', label: 'UTC' }]),
    ...others.map((zone) => ({ value: zone, label: zone })),
  ]
}
