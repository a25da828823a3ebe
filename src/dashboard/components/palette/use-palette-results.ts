import { matchesFilter } from '../../data/matches-filter.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { t } from '../../i18n/translate.ts'
import { endpointAddress } from '../endpoint/endpoint-address.ts'
import { listedStates } from '../endpoint/endpoint-states.ts'
import { endpointLabel } from '../endpoint/path-parts.ts'
import { groupTitle } from '../testing/cause-text.ts'
import { issueAddress } from '../testing/issue-address.ts'
import { matchesTest } from '../testing/test-categories.tsx'
import { matchingPages } from './palette-pages.ts'

/** One thing that the palette can open. */
export interface PaletteResult {
  readonly to: string
  readonly kind: 'Page' | 'Collection' | 'Endpoint' | 'Issue' | 'Test' | 'Filter' | 'Actor'
  readonly label: string
  /** Beside the label: severity, host. */
  readonly detail: string
}

/** Results of one kind at most. */
const most = 5
/** Shorter texts would match everything that is stored. */
const shortest = 2

/** What a text finds: pages, collections, endpoints, issues, tests, filters, actors. Kinds whose search fails or is on its way are left out. */
export function usePaletteResults(text: string): { results: PaletteResult[]; isPending: boolean } {
  const enabled = text.length >= shortest
  const endpoints = useEndpoints(text, enabled)
  const issues = useIssues(text, enabled)
  const tests = useTestResults(text, enabled)
  const filters = useFilters(text, enabled)
  const actors = useActors(text, enabled)
  const collections = useCollections(text, enabled)
  const pages = matchingPages(text).map(({ to, label }) => ({
    to,
    label: t(label),
    kind: 'Page' as const,
    detail: '',
  }))
  const kinds = [endpoints, issues, filters, actors]
  return {
    results: [
      ...pages,
      ...collections,
      ...endpoints.results,
      ...issues.results,
      ...tests,
      ...filters.results,
      ...actors.results,
    ],
    isPending: kinds.some((kind) => kind.isPending),
  }
}

function useEndpoints(text: string, enabled: boolean) {
  const order = { sortKey: 'riskScore', sortOrder: -1 } as const
  const request = { search: text, state: listedStates, limit: most, ...order }
  const { data, isFetching } = useRead('searchEndpoints', request, { enabled })
  const results: PaletteResult[] = (data?.endpoints ?? []).map(({ id, collectionName }) => ({
    to: endpointAddress(id),
    kind: 'Endpoint',
    label: endpointLabel(id),
    detail: collectionName,
  }))
  return { results: enabled ? results : [], isPending: isFetching }
}

function useIssues(text: string, enabled: boolean) {
  const request = { searchString: text, limit: most, skip: 0 }
  const { data, isFetching } = useRead('fetchIssueGroups', request, { enabled })
  const { byId } = useTests()
  const results: PaletteResult[] = (data?.issueGroups ?? []).map((group) => ({
    to: issueAddress(group.issue.id),
    kind: 'Issue',
    label: groupTitle(byId, group),
    detail: `${group.severity.toLowerCase()}, ${group.status.toLowerCase()}`,
  }))
  return { results: enabled ? results : [], isPending: isFetching }
}

function useTestResults(text: string, enabled: boolean): PaletteResult[] {
  const { data } = useTests()
  if (!enabled) return []
  return (data?.tests ?? [])
    .filter((test) => matchesTest(test, text))
    .slice(0, most)
    .map(({ name, testName }) => ({
      to: `/library/${encodeURIComponent(name)}`,
      kind: 'Test',
      label: testName,
      detail: name,
    }))
}

function useCollections(text: string, enabled: boolean): PaletteResult[] {
  const { names } = useCollectionNames()
  if (!enabled) return []
  return [...names]
    .filter(([, name]) => name.toLowerCase().includes(text.toLowerCase()))
    .slice(0, most)
    .map(([id, label]) => ({ to: `/apis/${id}`, kind: 'Collection', label, detail: '' }))
}

function useFilters(text: string, enabled: boolean) {
  const { data, isFetching } = useRead('fetchFilterYamlTemplate', { withContent: false }, { enabled })
  const results: PaletteResult[] = (data?.templates ?? [])
    .filter((template) => matchesFilter(template, text))
    .slice(0, most)
    .map(({ id, info }) => ({
      to: `/threats/filters/${encodeURIComponent(id)}`,
      kind: 'Filter',
      label: info?.name || id,
      detail: id,
    }))
  return { results: enabled ? results : [], isPending: isFetching }
}

function useActors(text: string, enabled: boolean) {
  const { data, isFetching } = useRead('fetchFiltersForThreatActors', {}, { enabled })
  const results: PaletteResult[] = (data?.actorId ?? [])
    .filter((actor) => actor.toLowerCase().includes(text.toLowerCase()))
    .slice(0, most)
    .map((actor) => ({
      to: `/threats/actors/one?${new URLSearchParams({ actor })}`,
      kind: 'Actor',
      label: actor,
      detail: '',
    }))
  return { results: enabled ? results : [], isPending: isFetching }
}
