import { CallError, errorRow } from '../../contract/browser.ts'

/** A failure for people: what happened, what to do next, and the facts for the person who is asked for help. */
interface ErrorWords {
  readonly title: string
  readonly remedy: string
  readonly facts: string
}

/** What to do about a refusal, by the error table or else by its status. */
function remedyOf(error: CallError): string {
  const wait =
    error.retryAfterSeconds === null ? '' : ` The server asks to wait ${error.retryAfterSeconds} seconds.`
  const row = error.code === null ? undefined : errorRow(error.code)
  if (row !== undefined) return row.remedy + wait
  if (error.status >= 500)
    return `The server or a proxy before it has a problem: see its log and /health.${wait}`
  return `Correct what the message names and try again.${wait}`
}

/** Puts any failure in words. */
export function describeError(error: unknown): ErrorWords {
  if (error instanceof CallError) {
    return {
      title: error.messages.join('; '),
      remedy: remedyOf(error),
      facts: `status ${error.status}, code ${error.code ?? 'none'}: ${error.messages.join('; ')}`,
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof TypeError) {
    return {
      title: 'The server does not answer',
      remedy:
        'Check that it runs and that this machine reaches it, then try again. Nothing of the page is lost.',
      facts: `no answer: ${message}`,
    }
  }
  return { title: message, remedy: 'Try again; if it stays, report it with the facts below.', facts: message }
}
