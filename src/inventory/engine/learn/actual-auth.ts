import { type AuthCombination, actualAuthType } from '../../auth-kinds/index.ts'
import type { EndpointState } from '../state/index.ts'

/** The kinds of authentication that really apply to an endpoint, from the counts of each combination by outcome. */
export function actualAuthTypesOf(state: EndpointState): readonly string[] {
  const combinations = new Map<string, { -readonly [K in keyof AuthCombination]: AuthCombination[K] }>()
  for (const { combination, outcome, count } of state.credentialCounts()) {
    let entry = combinations.get(combination)
    if (entry === undefined) {
      const isAnonymous = combination === 'UNAUTHENTICATED'
      entry = {
        kinds: isAnonymous ? [] : combination.split(','),
        succeeded: 0,
        refused: 0,
        other: 0,
        clients: isAnonymous ? state.anonymousClients.size : 1,
      }
      combinations.set(combination, entry)
    }
    if (outcome === '2xx') entry.succeeded += count
    else if (outcome === '401' || outcome === '403') entry.refused += count
    else entry.other += count
  }
  return actualAuthType([...combinations.values()]).kinds
}
