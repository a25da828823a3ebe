type Fields = Record<string, unknown>

/** A name with a text, a bare value or an opening brace; or a closing brace. */
const TOKEN = /([a-z_]+)(?:: (?:"((?:[^"\\]|\\.)*)"|(\S+))| \{)|\}/g
const ESCAPE = /\\(?:([0-7]{3})|(.))/g
const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
/** Fields that are lists, however many entries they have. */
const REPEATED: ReadonlySet<string> = new Set(['schema_errors'])

/**
 * What is known of an event, from the text format of protocol buffers to JSON text: names in camel case, as the JSON
 * form of protocol buffers has them.
 */
export function metadataJson(text: string): string {
  const root: Fields = {}
  const open: Fields[] = [root]
  for (const [, name, quoted, bare] of text.matchAll(TOKEN)) {
    if (name === undefined) open.pop()
    else if (quoted !== undefined) put(open.at(-1), name, unescaped(quoted))
    else if (bare !== undefined) put(open.at(-1), name, /^\d+$/.test(bare) ? Number(bare) : bare)
    else {
      const inner: Fields = {}
      put(open.at(-1), name, inner)
      open.push(inner)
    }
  }
  return JSON.stringify(root, null, 2)
}

function put(fields: Fields | undefined, name: string, value: unknown): void {
  if (fields === undefined) return
  const key = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  if (!REPEATED.has(name)) fields[key] = value
  else fields[key] = [...((fields[key] as unknown[] | undefined) ?? []), value]
}

/** A text with C escapes; octal ones are bytes of UTF-8. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  const bytes = text.replace(ESCAPE, (_, octal: string | undefined, sign: string) =>
    octal === undefined ? (SHORT[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
  )
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
}
