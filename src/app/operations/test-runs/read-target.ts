import { Failure } from '../../../kit/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** What a run aims at. */
interface Target {
  targetType: 'CUSTOM' | 'COLLECTION_WISE' | 'MULTI_COLLECTION'
  targetEndpoints: { method: string; apiCollectionId: number; url: string }[] | null
  collectionIds: number[]
}

type Given = Pick<
  Parameters<Handler<'startTest'>>[0],
  'type' | 'apiInfoKeyList' | 'apiCollectionId' | 'apiCollectionIds' | 'selectedTests'
>

/**
 * The target of a run, which the caller may see.
 * @throws Failure NO_APIS_GIVEN, NO_SUCH_COLLECTION, NO_COLLECTIONS_GIVEN, WORKFLOW_NOT_FOUND, INVALID_RUN_TARGET
 */
export async function readTarget(input: Given, { app, caller }: Call): Promise<Target> {
  switch (input.type) {
    case 'CUSTOM': {
      const keys = input.apiInfoKeyList ?? []
      if (keys.length === 0) throw new Failure('NO_APIS_GIVEN', {})
      const collectionIds = [...new Set(keys.map((key) => key.apiCollectionId))]
      for (const id of collectionIds) await requireCollection(app.store, caller, id)
      return { targetType: 'CUSTOM', targetEndpoints: [...keys], collectionIds }
    }
    case 'COLLECTION_WISE': {
      const id = input.apiCollectionId ?? 0
      await requireCollection(app.store, caller, id)
      return { targetType: 'COLLECTION_WISE', targetEndpoints: null, collectionIds: [id] }
    }
    case 'MULTI_COLLECTION': {
      const collectionIds = [...new Set(input.apiCollectionIds ?? [])]
      if (collectionIds.length === 0) throw new Failure('NO_COLLECTIONS_GIVEN', {})
      for (const id of collectionIds) await requireCollection(app.store, caller, id)
      return { targetType: 'MULTI_COLLECTION', targetEndpoints: null, collectionIds }
    }
    case 'WORKFLOW':
      throw new Failure('WORKFLOW_NOT_FOUND', {})
    default:
      throw new Failure('INVALID_RUN_TARGET', {})
  }
}

/** Ids of known tests; otherwise the names are those of categories, which stand for all of their tests. */
export async function readTests(input: Given, areIds: boolean, { app }: Call): Promise<string[]> {
  const named = [...new Set(input.selectedTests ?? [])]
  if (!areIds) return app.catalogue.idsOfCategories(named)
  const known = await app.catalogue.byIds(named)
  return known.map((entry) => entry.id)
}
