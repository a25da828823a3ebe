/** What is wrong with the text of a request body; null when it is a JSON object. */
export function problemOf(body: string): string | null {
  try {
    const value: unknown = JSON.parse(body)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? null : 'The body must be a JSON object, such as {}.'
  } catch (error) {
    return error instanceof Error ? `Not JSON: ${error.message}` : 'Not JSON'
  }
}

/** The call as a command for a POSIX shell; the key stands for itself. */
export function curlOf(origin: string, name: string, body: string): string {
  const quoted = body.replaceAll("'", `'\\''`)
  return [
    `curl ${origin}/api/${name}`,
    `-H "x-api-key: $VIGIL_API_KEY"`,
    `-H 'content-type: application/json'`,
    `--data '${quoted}'`,
  ].join(' \\\n  ')
}
