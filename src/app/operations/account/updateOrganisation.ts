import { isTimeZone } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { changeOrganisation, type KeptKind, type Organisation } from '../../organisation.ts'
import { keptKindSettings } from '../../retention.ts'
import { wireOrganisation } from './wire-organisation.ts'

/** Longest time that something can be kept: 36,500 days, as in the settings of the server. */
const MOST_SECONDS = 36_500 * 86_400

/** The chosen times after a change; null takes a choice back. */
function keptAfter(
  known: Organisation['kept'],
  sent: readonly { kind: KeptKind; time?: number | null | undefined }[],
): Organisation['kept'] {
  const times = new Map(Object.entries(known) as [KeptKind, number][])
  for (const { kind, time } of sent) {
    if (time === null) times.delete(kind)
    else if (time !== undefined) times.set(kind, time)
  }
  return Object.fromEntries(times)
}

/** @throws Failure KEPT_TOO_LONG */
function checkTimes(sent: readonly { kind: KeptKind; time?: number | null | undefined }[]): void {
  for (const { kind, time } of sent) {
    const { settingSeconds } = keptKindSettings.find((one) => one.kind === kind)!
    const most = MOST_SECONDS / settingSeconds
    if (time && time > most)
      throw new Failure('KEPT_TOO_LONG', { kind, most, unit: settingSeconds === 3_600 ? 'hours' : 'days' })
  }
}

/** Sets name, time zone, redaction and retention; what is not sent stays. */
export const updateOrganisation: Handler<'updateOrganisation'> = async (input, { app }) => {
  const { name, timeZone, redactsNewCollections, kept } = input
  if (timeZone && !isTimeZone(timeZone)) throw new Failure('INVALID_TIME_ZONE', {})
  checkTimes(kept ?? [])
  const organisation = await changeOrganisation(app.store, (known) => ({
    name: name?.trim() ?? known.name,
    timeZone: timeZone ?? known.timeZone,
    redactsNewCollections: redactsNewCollections ?? known.redactsNewCollections,
    kept: keptAfter(known.kept, kept ?? []),
  }))
  return wireOrganisation(organisation, app.settings)
}
