import type { Suppression } from '../../../threat/index.ts'

/** A suppression on the wire. */
export function wireSuppression({ collectionId, ...rest }: Suppression) {
  return { ...rest, apiCollectionId: collectionId }
}
