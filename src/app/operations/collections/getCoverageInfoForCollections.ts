import { testedByCollection } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'
import { byId } from './wire-collection.ts'

const WINDOW_SECONDS = 30 * 86_400

/** Counts the endpoints tested within 30 days, per collection. */
export const getCoverageInfoForCollections: Handler<'getCoverageInfoForCollections'> = async (
  input,
  { app, caller },
) => {
  const ids = input.apiCollectionIds?.filter((id) => maySee(caller, id)) ?? caller.collectionIds
  return byId(await testedByCollection(app.store, { ids }, nowSeconds() - WINDOW_SECONDS), (count) => count)
}
