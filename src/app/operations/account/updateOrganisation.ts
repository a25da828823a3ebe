import { isTimeZone } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { type KeptKind, type Organisation, readOrganisation, saveOrganisation } from '../../organisation.ts'
import { wireOrganisation } from './wire-organisation.ts'

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

/** Sets name, time zone, redaction and retention; what is not sent stays. */
export const updateOrganisation: Handler<'updateOrganisation'> = async (input, { app }) => {
  const { name, timeZone, redactsNewCollections, kept } = input
  if (timeZone && !isTimeZone(timeZone)) throw new Failure('INVALID_TIME_ZONE', {})
  const known = await readOrganisation(app.store.pool)
  const organisation = {
    name: name?.trim() ?? known.name,
    timeZone: timeZone ?? known.timeZone,
    redactsNewCollections: redactsNewCollections ?? known.redactsNewCollections,
    kept: keptAfter(known.kept, kept ?? []),
  }
  await saveOrganisation(app.store.pool, organisation)
  return wireOrganisation(organisation, app.settings)
}
