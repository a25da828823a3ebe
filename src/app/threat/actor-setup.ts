import type { Sealer, Settings } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { type ActorSetup, readThreatConfiguration } from '../../threat/index.ts'

/**
 * How actors are found, by the settings of the process and what people set in the product. It changes with
 * `configurationRevision`.
 */
export async function actorSetup(db: Queryable, settings: Settings, sealer: Sealer): Promise<ActorSetup> {
  const { headerActors } = await readThreatConfiguration(db)
  return {
    trustedProxies: settings.trustedProxies,
    trustsPrivate: settings.trustPrivateProxies,
    forwardingHeaders: settings.actorHeaders,
    headerRules: headerActors,
    hashKey: Buffer.from(sealer.deriveKey('threat-actor')).toString('hex'),
    countryFile: settings.countryFile,
  }
}
