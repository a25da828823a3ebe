import { CallError } from '../contract/client.ts'
import { ScanFailure } from './scan/scan-failure.ts'

/** What people learn of a refusal, or of a server that cannot be reached; null for anything else. */
export async function reasonOf(error: unknown): Promise<string | null> {
  if (error instanceof CallError) {
    // The table of all errors is loaded when there is one.
    const { remedyFor } = await import('./remedies.ts')
    return [...error.messages, remedyFor(error.code)].filter((line) => line !== null).join('\n')
  }
  if (error instanceof ScanFailure) return error.message
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return null
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string }
  return `the server cannot be reached: ${code ?? message ?? 'no connection'}. Start it, or name another with --server`
}
