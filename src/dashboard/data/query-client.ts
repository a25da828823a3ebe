import { QueryClient } from '@tanstack/react-query'
import { CallError } from '../../contract/browser.ts'

/** True for failures that a second try may cure: no answer, or a server that says so. */
export function isPassing(error: unknown): boolean {
  return error instanceof CallError ? error.status >= 502 || error.status === 429 : error instanceof TypeError
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
