import { createHash } from 'node:crypto'

/** Fields whose whole value may be a credential or part of a message: that they are there is all that is stored. */
const SECRET =
  /password|secret|token|cookie|auth(?!or)|credential|header|api_?key|signing|private|certificate|steps|recorded|sample|payload|orig(?:regex)?$|^(?:values?|key|data|code|invitationCode)$/i
/** Fields with whole documents: stored as length and hash, so that a change shows. */
const DOCUMENT = /^(?:content|file|body|shipped|definition)$|file$|string$|data$/i
const HIDDEN = '****'
const MAX_TEXT = 300
const MAX_ITEMS = 50
const MAX_DEPTH = 5

/**
 * What may be stored of a request or a record: ids, names, flags, short texts. Values of fields that can hold secrets
 * are hidden, URLs reduced to their origin, documents and long texts to length and hash.
 */
export function storableRequest(value: unknown, name = '', depth = 0): unknown {
  if (value === null || value === undefined) return null
  if (name !== '' && SECRET.test(name)) return HIDDEN
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return storableText(value, name)
  if (depth >= MAX_DEPTH) return HIDDEN
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => storableRequest(item, name, depth + 1))
    return value.length > MAX_ITEMS ? [...items, `and ${value.length - MAX_ITEMS} more`] : items
  }
  const entries = Object.entries(value as object)
    .filter(([, inner]) => inner !== null && inner !== undefined)
    .slice(0, MAX_ITEMS)
    .map(([key, inner]) => [key, storableRequest(inner, key, depth + 1)])
  return Object.fromEntries(entries)
}

function storableText(text: string, name: string): string {
  // Paths and queries of webhooks are credentials.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const url = URL.parse(text)
    return url === null ? HIDDEN : `${url.protocol}//${url.host}/…`
  }
  if (text.length <= MAX_TEXT && !DOCUMENT.test(name)) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `${text.length} characters, SHA-256 ${hash}…`
}
