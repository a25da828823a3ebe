import type { AnswerOf } from '../../../contract/index.ts'
import type { Settings } from '../../../kit/index.ts'
import type { Organisation } from '../../organisation.ts'
import { keptKindSettings } from '../../retention.ts'

const HOUR_SECONDS = 3_600

/** The organisation as the interface shows it. */
export function wireOrganisation(
  { name, timeZone, redactsNewCollections, kept }: Organisation,
  settings: Settings,
): AnswerOf<'fetchOrganisation'> {
  return {
    organisation: {
      name,
      timeZone,
      redactsNewCollections,
      kept: keptKindSettings.map(({ kind, setting, settingSeconds }) => ({
        kind,
        unit: settingSeconds === HOUR_SECONDS ? 'HOUR' : 'DAY',
        time: kept[kind] ?? settings[setting],
        byDefault: settings[setting],
        isChosen: kept[kind] !== undefined,
      })),
    },
  }
}
