import { isTimeZone, localTime as localTimeIn, secondsOf as secondsIn } from '../../contract/browser.ts'
import { t } from '../i18n/translate.ts'

const KEY = 'vigil-time-zone'
const ORGANISATION_KEY = 'vigil-organisation-zone'

/** The zone that this browser's system has. */
const systemZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** A zone that this browser keeps; empty without one. Another version of the browser may have known more of them. */
function readZone(key: string): string {
  try {
    const kept = globalThis.localStorage?.getItem(key) ?? ''
    return kept !== '' && isTimeZone(kept) ? kept : ''
  } catch {
    return '' // storage is forbidden here
  }
}

/** The zone that the person chose for this browser; empty: that of the organisation. */
export const chosenZone = readZone(KEY)

/** The zone of the organisation, or that of this computer where the organisation has none. */
const organisationZone = readZone(ORGANISATION_KEY) || systemZone

/** The zone in which times are shown; it is read once, when the pages start. */
export const shownZone = chosenZone || organisationZone

/** Epoch seconds as a field for date and time takes them in the shown zone: "2026-03-01T09:30". */
export function localTime(seconds: number, zone = shownZone): string {
  return localTimeIn(seconds, zone)
}

/** Epoch seconds of what a field for date and time holds in the shown zone; 0 when it is empty. */
export function secondsOf(local: string, zone = shownZone): number {
  return secondsIn(local, zone)
}

/**
 * Keeps a zone for this browser, from the next start of the pages on; an empty one stands for that of the organisation.
 * False where the browser keeps nothing.
 */
export function keepZone(zone: string): boolean {
  try {
    if (zone === '') globalThis.localStorage.removeItem(KEY)
    else globalThis.localStorage.setItem(KEY, zone)
    return true
  } catch {
    return false
  }
}

/** Remembers the zone of the organisation: it is shown from the next start on, where the person chose none. */
export function rememberOrganisationZone(zone: string): void {
  try {
    if (zone === '') globalThis.localStorage.removeItem(ORGANISATION_KEY)
    else globalThis.localStorage.setItem(ORGANISATION_KEY, zone)
  } catch {
    // A browser that keeps nothing shows its own zone.
  }
}

/** The choice of no own zone. */
export function organisationZoneChoice(): { value: string; label: string } {
  return { value: '', label: t('time.asOrganisation', { zone: organisationZone }) }
}

/** Zones to choose from: UTC, that of the system, and all others by name. */
export function zoneChoices(): { value: string; label: string }[] {
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== systemZone && zone !== 'UTC')
  return [
    { value: systemZone, label: t('time.thisComputer', { zone: systemZone }) },
    ...(systemZone === 'UTC' ? [] : [{ value: 'UTC', label: 'UTC' }]),
    ...others.map((zone) => ({ value: zone, label: zone })),
  ]
}
