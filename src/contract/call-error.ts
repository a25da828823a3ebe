/** A call that the server refused, or answered with something else than JSON. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** HTTP status. */
  readonly status: number
  /** The sentences of `actionErrors`; one about the status when the answer had none. */
  readonly messages: readonly string[]
  /** Code of the error table, or null when the answer named none. */
  readonly code: string | null
  /** Seconds to wait before a second try, where the server says so. */
  readonly retryAfterSeconds: number | null
  /** The id under which the log of the server has the call, or null when the answer had none. */
  requestId: string | null = null

  constructor(
    status: number,
    messages: readonly string[],
    code: string | null,
    retryAfterSeconds: number | null = null,
  ) {
    super(messages.join('; '))
    this.status = status
    this.messages = messages
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}
