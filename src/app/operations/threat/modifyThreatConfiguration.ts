import { Failure } from '../../../kit/index.ts'
import { isHostPattern, readThreatConfiguration, saveThreatConfiguration } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { wireConfiguration } from './wire-configuration.ts'

/** Sets what is given about threats. */
export const modifyThreatConfiguration: Handler<'modifyThreatConfiguration'> = async (input, { app }) => {
  const { actor, archivalEnabled, archivalDays } = input.threatConfiguration
  const known = await readThreatConfiguration(app.store.pool)
  const bad = actor?.actorId.find(({ pattern }) => !isHostPattern(pattern))
  if (bad !== undefined) throw new Failure('INVALID_REGEX', {})
  const configuration = {
    headerActors:
      actor?.actorId.map(({ key, pattern }) => ({ header: key.toLowerCase(), hostPattern: pattern })) ??
      known.headerActors,
    isPurging: archivalEnabled ?? known.isPurging,
    keptDays: archivalDays ?? known.keptDays,
  }
  await saveThreatConfiguration(app.store.pool, configuration)
  await app.detection.refresh()
  return wireConfiguration(configuration)
}
