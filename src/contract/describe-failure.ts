import { Failure, type FailureDetails } from '../kit/index.ts'
import { type ErrorCode, type ErrorRow, errorRow, errorTable } from './errors.ts'

/** An error as it leaves the server: the status, the sentences of `actionErrors`, and the code of the header. */
interface FailureDescription {
  readonly status: number
  readonly messages: string[]
  readonly code: ErrorCode
  /** Seconds for the Retry-After header. */
  readonly retryAfterSeconds?: number
}

/** Throwable with a code that the compiler checks; the same as `new Failure(code, details)`. */
export function failure(code: ErrorCode, details: FailureDetails = {}, options?: ErrorOptions): Failure {
  return new Failure(code, details, options)
}

/**
 * What the caller learns of an error. A {@link Failure} with a code of the table gives its row; anything else is
 * INTERNAL and reveals nothing of itself (the log has it under the request id).
 */
export function describeFailure(error: unknown): FailureDescription {
  const row = error instanceof Failure ? errorRow(error.code) : undefined
  if (row === undefined || !(error instanceof Failure)) {
    return { status: errorTable.INTERNAL.status, messages: [errorTable.INTERNAL.message], code: 'INTERNAL' }
  }
  const details = withRetry(row, error.details)
  const wait = details['retryAfterSeconds']
  return {
    status: row.status,
    messages: [row.message, row.more ?? []].flat().map((sentence) => renderMessage(sentence, details)),
    code: error.code as ErrorCode,
    ...(typeof wait === 'number' ? { retryAfterSeconds: wait } : {}),
  }
}

function withRetry(row: ErrorRow, details: FailureDetails): FailureDetails {
  if (row.retryAfterSeconds === undefined || typeof details['retryAfterSeconds'] === 'number') return details
  return { ...details, retryAfterSeconds: row.retryAfterSeconds }
}

/** Puts the details into a message template; a placeholder without a detail stays visible as its name. */
export function renderMessage(template: string, details: FailureDetails): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    Object.hasOwn(details, name) ? String(details[name]) : name,
  )
}
