import {
  hashKey,
  keepPreviousData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { OperationName, RequestBodyOf, ResponseOf } from '../../contract/browser.ts'
import { client } from './client.ts'
import { keptError } from './query-client.ts'

interface ReadOptions<Answer> {
  /** False: ask later. */
  readonly enabled?: boolean
  /** Milliseconds after which the answer is asked for again while the page is open, or what tells them by it. */
  readonly refreshEvery?: number | false | ((answer: Answer | undefined) => number | false)
  /** Shows the answer to the last request while the next is on its way (pages of a table). */
  readonly keepLast?: boolean
}

/** The answer of a reading operation, cached by its name and request. */
export function useRead<Name extends OperationName>(
  name: Name,
  request: RequestBodyOf<Name>,
  options: ReadOptions<ResponseOf<Name>> = {},
): UseQueryResult<ResponseOf<Name>> {
  const { refreshEvery = false } = options
  const queryKey = [name, request]
  const query = useQuery<ResponseOf<Name>>({
    queryKey,
    queryFn: ({ signal }) => client.call(name, request, { signal }),
    enabled: options.enabled ?? true,
    refetchInterval:
      typeof refreshEvery === 'function' ? ({ state }) => refreshEvery(state.data) : refreshEvery,
    ...(options.keepLast ? { placeholderData: keepPreviousData } : {}),
  })
  useLastLook(refreshEvery !== false, query.refetch)
  return useKeptError(query, queryKey)
}

/** The query, which still says why it failed while it is asked again. */
export function useKeptError<Answer>(
  query: UseQueryResult<Answer>,
  queryKey: QueryKey,
): UseQueryResult<Answer> {
  const cache = useQueryClient().getQueryCache()
  const error = query.isLoading ? keptError(cache.get(hashKey(queryKey))) : null
  if (error === null) return query
  const failed = { status: 'error', isError: true, isLoadingError: true, isPending: false, isLoading: false }
  return { ...query, ...failed, error } as UseQueryResult<Answer>
}

/** Asks once more when refreshing ends: the last answer may be older than what ended it. */
function useLastLook(isRefreshed: boolean, refetch: () => Promise<unknown>): void {
  const wasRefreshed = useRef(isRefreshed)
  useEffect(() => {
    if (wasRefreshed.current && !isRefreshed) void refetch()
    wasRefreshed.current = isRefreshed
  }, [isRefreshed, refetch])
}

/**
 * A writing operation. After it, the answers of `outdates` are asked for again; without it, all are. What must happen
 * although the component goes away with the refreshed answers hangs on the promise of `mutateAsync`.
 */
export function useWrite<Name extends OperationName>(
  name: Name,
  outdates?: readonly OperationName[],
): UseMutationResult<ResponseOf<Name>, Error, RequestBodyOf<Name>> {
  const queries = useQueryClient()
  return useMutation<ResponseOf<Name>, Error, RequestBodyOf<Name>>({
    mutationFn: (request) => client.call(name, request),
    onSuccess: () =>
      queries.invalidateQueries(
        outdates === undefined
          ? {}
          : { predicate: ({ queryKey }) => outdates.includes(queryKey[0] as OperationName) },
      ),
  })
}
