import type { EndpointView } from '../../../inventory/index.ts'
import type { Caller } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'

/** The collection and the groups of an endpoint that its reader may hear of: its own, and those granted. */
export function shownCollections(view: EndpointView, caller: Caller): number[] {
  return view.collectionIds.filter((id) => id === view.collectionId || maySee(caller, id))
}
