import { parameterDisplayName, type TypeImpactPlace } from '../../../contract/index.ts'
import type { Handler } from '../../handler.ts'
import { dataTypeOf } from './data-type-of.ts'

/** Places of one answer. */
const MAX_PLACES = 200

/** Shows what saving a data type would change. */
export const previewDataType: Handler<'previewDataType'> = async (input, { app, caller }) => {
  const { samples, isCut, places } = await app.inventory.previewType(dataTypeOf(input), caller.collectionIds)
  const changed = places.filter(({ before, after }) => before !== after)
  const endpointsOf = (list: typeof places): number =>
    new Set(list.map(({ collectionId, method, url }) => `${collectionId} ${method} ${url}`)).size
  return {
    samples,
    isCut,
    parameters: places.filter(({ after }) => after !== 'NONE').length,
    endpoints: endpointsOf(places.filter(({ after }) => after !== 'NONE')),
    changedCount: changed.length,
    changed: changed.slice(0, MAX_PLACES).map(({ collectionId, method, url, kind, name, ...rest }) => ({
      apiInfoKey: { apiCollectionId: collectionId, method, url },
      displayName: parameterDisplayName(kind, name, url),
      position: kind as TypeImpactPlace['position'],
      responseCode: rest.responseCode,
      before: rest.before,
      after: rest.after,
    })),
  }
}
