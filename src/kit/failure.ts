/** Data that fills the message template of an error code. */
export type FailureDetails = Record<string, string | number | boolean | null>

/**
 * The one error type that modules throw on purpose. `code` is a row of `contract/errors.ts`, which gives the HTTP
 * status and the sentence for the person who can act on it; `details` fill the sentence's placeholders.
 */
export class Failure extends Error {
  readonly code: string
  readonly details: FailureDetails

  constructor(code: string, details: FailureDetails = {}, options?: ErrorOptions) {
    super(code, options)
    this.name = 'Failure'
    this.code = code
    this.details = details
  }
}
