import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError } from '../../contract/browser.ts'

/** True for failures that a second try may fix: no answer, or a server that says so. */
export function isPassing(error: unknown): boolean {
  return error instanceof CallError ? error.status >= 502 || error.status === 429 : error instanceof TypeError
}

/** True for a fault of the server, which may be gone at the next try. */
function isFault(error: unknown): boolean {
  return error instanceof CallError && error.status === 500
}

/** By query: its last failure, and how many faults of the server in a row it ended. */
const failures = new WeakMap<object, { readonly error: unknown; readonly faults: number }>()

/** Milliseconds before what failed is asked again. Doubled at every fault of the server in a row. */
const PAUSE_MS = 5_000
/** Faults in a row after which a query is no longer asked again automatically. */
const MAX_FAULTS = 5

/**
 * The failure of a query that has no answer yet and is asked again, which TanStack forgets meanwhile: a page would change
 * between the failure and a placeholder at every try. Null otherwise, and for what another try does not help.
 */
export function keptError(query: Query | undefined): Error | null {
  if (query === undefined || query.state.data !== undefined || query.state.fetchStatus === 'idle') return null
  const error = failures.get(query)?.error
  return error instanceof Error && (isPassing(error) || isFault(error)) ? error : null
}

function faultsOf(query: object): number {
  return failures.get(query)?.faults ?? 0
}

function lastError(query: Query): unknown {
  return query.state.error ?? query.state.fetchFailureReason ?? keptError(query)
}

/** True for a query whose last try failed for a reason that passes; also while it is tried again. */
export function failsInPassing(query: Query): boolean {
  return isPassing(lastError(query))
}

/** What the server itself said of a failure that passes, such as that its database is away; null where it did not answer. */
export function passingRefusal(query: Query): CallError | null {
  const error = lastError(query)
  return error instanceof CallError && isPassing(error) ? error : null
}

/** True for a query that is asked again without anybody doing anything. */
export function isAskedAgain(query: Query): boolean {
  const error = lastError(query)
  return isPassing(error) || (isFault(error) && faultsOf(query) < MAX_FAULTS)
}

/** Asks again what failed long enough ago; what is being asked is waited for. */
export function askAgain(queries: QueryClient): void {
  const isDue = (query: Query): boolean => {
    const doublings = Math.max(0, faultsOf(query) - 1)
    return isAskedAgain(query) && Date.now() - query.state.errorUpdatedAt >= PAUSE_MS * 2 ** doublings
  }
  void queries.refetchQueries({ type: 'active', predicate: isDue }, { cancelRefetch: false })
}

/**
 * Whether a page shows a failure in place of its content: nothing was read yet, or trying again does not help. Else what
 * was read stays, and the banner says that it may be out of date.
 */
export function hidesContent(error: unknown, data: unknown): boolean {
  return error !== null && (data === undefined || !isPassing(error))
}

/** Answers of the server, kept for the pages that ask again. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) =>
      void failures.set(query, { error, faults: isFault(error) ? faultsOf(query) + 1 : 0 }),
    onSuccess: (_, query) => void failures.delete(query),
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isPassing(error),
      retryDelay: 800,
    },
    mutations: { retry: false },
  },
})
