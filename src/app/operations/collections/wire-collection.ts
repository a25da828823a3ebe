import type { ApiCollection } from '../../../contract/index.ts'
import { type CollectionView, findCollection, listCollections } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import type { Caller } from '../../handler.ts'

function jsonText(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}

export function wireCollection(view: CollectionView): ApiCollection {
  const hasBoth = view.hostName !== null && view.hostName !== view.name
  return {
    id: view.id,
    name: view.name,
    displayName: hasBoth ? `${view.hostName} - ${view.name}` : view.name,
    description: view.description,
    hostName: view.hostName,
    urlsCount: view.endpointCount,
    ignoredUrlsCount: view.ignoredCount,
    startTs: view.createdAt,
    vxlanId: view.vxlanId,
    type: view.kind === 'GROUP' ? 'API_GROUP' : null,
    envType: view.envType,
    userSetEnvType: view.userSetEnvType,
    tagsList: jsonText(view.tags),
    conditions: jsonText(view.conditions),
    runDependencyAnalyser: false,
    redact: view.isRedacted,
    mcpCollection: view.tags.some((tag) => tag.keyName === 'mcp-server'),
    deactivated: view.isDeactivated,
    automated: view.isAutomated,
    matchDependencyWithOtherCollections: false,
    genAICollection: view.tags.some((tag) => tag.keyName === 'gen-ai'),
    isOutOfTestingScope: view.isOutOfTestingScope,
    sampleCollectionsDropped: view.areSamplesDropped,
    sseCallbackUrl: null,
  }
}

/** The light form: tags, conditions and flags of the analysers are left at their fillers. */
export function basicCollection(view: CollectionView): ApiCollection {
  return {
    ...wireCollection(view),
    urlsCount: view.isDeactivated ? 0 : view.endpointCount,
    ignoredUrlsCount: view.isDeactivated ? 0 : view.ignoredCount,
    tagsList: null,
    conditions: null,
    redact: false,
    userSetEnvType: null,
    vxlanId: 0,
    sampleCollectionsDropped: false,
  }
}

/** Collections the caller may see. */
export function visibleCollections(store: Store, caller: Caller): Promise<CollectionView[]> {
  return listCollections(store, { ids: caller.collectionIds })
}

/** One collection on the wire, for operations that answer what they changed. */
export async function changedCollection(store: Store, id: number): Promise<ApiCollection> {
  const view = await findCollection(store, id)
  if (view === undefined) throw new Failure('NO_SUCH_COLLECTION', {})
  return wireCollection(view)
}

/** A map by collection id, keys as decimal text. */
export function byId<T, U>(map: ReadonlyMap<number, T>, value: (entry: T) => U): Record<string, U> {
  return Object.fromEntries(Array.from(map, ([id, entry]) => [String(id), value(entry)]))
}
