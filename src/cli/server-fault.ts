import { CallError } from '../contract/client.ts'
import { ScanFailure } from './scan/scan-failure.ts'
import { terminalText } from './terminal-text.ts'

/**
 * What people learn of a refusal, or of a server that cannot be reached, as text for a terminal; null for anything else.
 *
 * @param isOwn the server is a part of this command, which nobody else can start
 */
export async function reasonOf(error: unknown, isOwn = false): Promise<string | null> {
  if (error instanceof CallError) {
    // The table of all errors is loaded when there is one.
    const { remedyFor } = await import('./remedies.ts')
    return [...error.messages, remedyFor(error.code)]
      .filter((line) => line !== null)
      .map(terminalText) // each in itself, so that the remedy stays after a long message
      .join('\n')
  }
  if (error instanceof ScanFailure) return terminalText(error.message)
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return null
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string }
  const reason = terminalText(`the server cannot be reached: ${code ?? message ?? 'no connection'}`)
  return isOwn ? reason : `${reason}. Start it, or name another with --server`
}
