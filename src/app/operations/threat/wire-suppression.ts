import type { Suppression } from '../../../threat/index.ts'

export function wireSuppression({ collectionId, ...rest }: Suppression) {
  return { ...rest, apiCollectionId: collectionId }
}
