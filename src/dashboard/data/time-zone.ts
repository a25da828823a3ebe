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
