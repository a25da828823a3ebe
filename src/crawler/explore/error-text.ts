/** What went wrong, in this many characters as a log takes. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : String(error).slice(0, 300)
}
