import { useMemo } from 'react'
import type { TestRun } from '../../contract/browser.ts'
import { useRead } from './use-operation.ts'
import { countOf } from './words.ts'

/** Names of the collections and groups by their ids, and the same as choices of a filter. */
export function useCollectionNames() {
  const { data } = useRead('getAllCollectionsBasic', {})
  return useMemo(() => {
    const collections = data?.apiCollections ?? []
    return {
      names: new Map(collections.map(({ id, displayName }) => [id, displayName])),
      choices: collections.map(({ id, displayName }) => ({ value: String(id), label: displayName })),
    }
  }, [data])
}

/** What a run aims at, in words. */
export function targetText(target: TestRun['testingEndpoints'], names: ReadonlyMap<number, string>): string {
  const nameOf = (id: number) => names.get(id) ?? `Collection ${id}`
  if (target.type === 'CUSTOM') {
    const endpoints = target.apisList ?? []
    const collections = [...new Set(endpoints.map((one) => nameOf(one.apiCollectionId)))]
    return `${countOf(endpoints.length, 'endpoint')} of ${collections.slice(0, 2).join(', ')}${collections.length > 2 ? ' and others' : ''}`
  }
  if (target.type === 'COLLECTION_WISE') return nameOf(target.apiCollectionId ?? 0)
  const ids = target.apiCollectionIds ?? []
  return ids.length > 2
    ? `${ids.slice(0, 2).map(nameOf).join(', ')} and ${ids.length - 2} more`
    : ids.map(nameOf).join(', ')
}
