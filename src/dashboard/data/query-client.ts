import { type Query, QueryClient } from '@tanstack/react-query'
import { CallError } from '../../contract/browser.ts'

/** True for failures that a second try may fix: no answer, or a server that says so. */
function isPassing(error: unknown): boolean {
  return error instanceof CallError ? error.status >= 502 || error.status === 429 : error instanceof TypeError
}

/** True for a query whose last try failed for a reason that passes; also while it is tried again. */
export function failsInPassing({ state }: Query): boolean {
  return isPassing(state.error ?? state.fetchFailureReason)
}

/** True for a query whose last try met a fault of the server, which may be gone at the next. */
export function failsOnServer({ state: { error } }: Query): boolean {
  return error instanceof CallError && error.status === 500
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
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isPassing(error),
      retryDelay: 800,
    },
    mutations: { retry: false },
  },
})
