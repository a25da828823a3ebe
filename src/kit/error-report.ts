/** What the log may know of an error. */
export interface ErrorReport {
  readonly name: string
  readonly code: string | null
  /** The message without anything in quotation marks. */
  readonly message: string
  /** Innermost places first, without the message. */
  readonly stack: readonly string[]
}

const MAX_MESSAGE = 300
const MAX_FRAMES = 12

/**
 * Reduces an error to what may be logged. Messages of parsers and databases quote the data they stumbled over, and
 * data is what must not be in the log: everything from the first to the last quotation mark is cut out.
 */
export function reportError(thrown: unknown): ErrorReport {
  if (!(thrown instanceof Error))
    return { name: typeof thrown, code: null, message: 'no error object', stack: [] }
  const code = (thrown as { code?: unknown }).code
  const frames = (thrown.stack ?? '').split('\n').filter((text) => /^\s+at /.test(text))
  return {
    name: thrown.name,
    code: typeof code === 'string' ? code.slice(0, 64) : null,
    message: withoutQuotations(thrown.message),
    stack: frames.slice(0, MAX_FRAMES).map((text) => text.trim()),
  }
}

function withoutQuotations(message: string): string {
  const first = message.search(/["'`]/)
  if (first < 0) return message.slice(0, MAX_MESSAGE)
  const last = Math.max(message.lastIndexOf('"'), message.lastIndexOf("'"), message.lastIndexOf('`'))
  const end = last > first ? message.slice(last + 1) : ''
  return `${message.slice(0, first)}…${end}`.slice(0, MAX_MESSAGE)
}
