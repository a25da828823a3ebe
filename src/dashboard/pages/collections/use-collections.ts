import { useMemo } from 'react'
import type { ApiCollection, OperationName, SeverityCounts } from '../../../contract/browser.ts'
import { shownEndpoints } from '../../components/endpoint/endpoint-states.ts'
import { useRead } from '../../data/use-operation.ts'

/** A collection with what several operations know of it. */
export interface CollectionRow extends ApiCollection {
  /** Undefined, as the others, while it is not known. */
  readonly risk: number | undefined
  /** Names of the sensitive data types found in it. */
  readonly sensitive: readonly string[] | undefined
  /** Epoch seconds of the last message; 0 for none. */
  readonly lastSeen: number | undefined
  /** Open issues by severity, each cause once; null of groups, whose issues belong to other collections. */
  readonly issues: Partial<SeverityCounts> | null | undefined
  /** Percent of its endpoints, without ignored ones, that were tested in the last 30 days; null without endpoints. */
  readonly tested: number | null | undefined
}

/** Operations whose answers change with the list of collections. */
export const collectionReads: readonly OperationName[] = [
  'getAllCollections',
  'getAllCollectionsBasic',
  'getRiskScoreInfo',
  'getSensitiveInfoForCollections',
  'getLastSeenTrafficInfoForCollections',
  'getCoverageInfoForCollections',
  'fetchSeverityInfoForIssues',
  'searchEndpoints',
]

/** JSON text of a list of names; an absent entry is an empty list. */
function names(text: string | undefined): string[] {
  return text === undefined ? [] : (JSON.parse(text) as string[])
}

/** A whole percentage; 0 only for nothing, 100 only for everything. */
function percentOf(part: number, all: number): number | null {
  if (all === 0) return null
  return Math.min(100, Math.max(part > 0 ? 1 : 0, Math.floor((100 * part) / all)))
}

/**
 * The collections, joined with risk, data types, last traffic, issues and coverage. These are additions: the list is
 * given while they are missing, and `partial` holds the failure of one.
 */
export function useCollections() {
  const list = useRead('getAllCollections', {}, { refreshEvery: 30_000 })
  const risk = useRead('getRiskScoreInfo', {})
  const sensitive = useRead('getSensitiveInfoForCollections', {})
  const lastSeen = useRead('getLastSeenTrafficInfoForCollections', {})
  const issues = useRead('fetchSeverityInfoForIssues', { endTimeStamp: 0 })
  const tested = useRead('getCoverageInfoForCollections', {})
  const rows = useMemo<CollectionRow[] | undefined>(
    () =>
      list.data?.apiCollections.map((collection) => ({
        ...collection,
        risk: risk.data && Number(risk.data.riskScoreOfCollectionsMap[collection.id] ?? 0),
        sensitive: sensitive.data && names(sensitive.data.sensitiveSubtypesInCollection[collection.id]),
        lastSeen: lastSeen.data && Number(lastSeen.data[collection.id] ?? 0),
        issues:
          collection.type === 'API_GROUP'
            ? null
            : issues.data && (issues.data.severityInfo[collection.id] ?? {}),
        tested: tested.data && percentOf(tested.data[collection.id] ?? 0, shownEndpoints(collection)),
      })),
    [list.data, risk.data, sensitive.data, lastSeen.data, issues.data, tested.data],
  )
  const retry = () => {
    for (const query of [list, risk, sensitive, lastSeen, issues, tested])
      if (query.isError) void query.refetch()
  }
  return {
    rows,
    error: list.error,
    partial: list.error
      ? null
      : (risk.error ?? sensitive.error ?? lastSeen.error ?? issues.error ?? tested.error),
    retry,
  }
}
