import type { Exchange } from '../../http/index.ts'
import type { ContextRecord, MessageView, Pattern } from '../../rules/index.ts'

/** Longest answer that is read, and amounts that are kept of one collection. */
const MAX_BODY = 65_536
const MAX_QUOTES = 50_000
const MAX_NODES = 5_000
/** Names of identifiers and of amounts. */
const IDENTIFIER = /^(?:_?id|uuid|guid|sku|code|slug|ref(?:erence)?|number)$|(?:_id|Id|ID|_uuid)$/
const AMOUNT = /amount|price|total|fee|cost|due|sum/i
/** Names of bounds: what lies between them is the caller's to say. */
const BOUND = /min|max|limit|least|most/i
/** Last words of paths that say what is done with a collection. */
const DOES = /^(?:create|new|add|make|submit|history|list|all|search|recent|mine)$/i
/** Methods whose path names the very object that they change. */
const NAMES_OWN = new Set(['PUT', 'PATCH'])

/**
 * Amounts that the application named in answers, each with the identifier of its object: what something costs is the
 * application's to say where it said so before.
 */
export class QuotedAmounts {
  /** By collection and quote: the paths of the lists that have it. */
  readonly #byCollection = new Map<number, Map<string, Set<string>>>()

  /** Keeps the amounts of an answer to a read. */
  learn(collectionId: number, { request, response }: Exchange): void {
    if (request.method !== 'GET' || response.status !== 200 || response.body.length > MAX_BODY) return
    const quotes = this.#byCollection.get(collectionId) ?? new Map<string, Set<string>>()
    this.#byCollection.set(collectionId, quotes)
    const list = collectionOf(request.target)
    const open: unknown[] = [parsed(response.body)]
    for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
      const node = open.pop()
      if (typeof node !== 'object' || node === null) continue
      open.push(...Object.values(node))
      if (Array.isArray(node)) continue
      const fields = Object.entries(node)
      const amounts = fields.filter(([key, value]) => AMOUNT.test(key) && !BOUND.test(key) && isAmount(value))
      for (const [key, id] of fields)
        if (amounts.length > 0 && IDENTIFIER.test(key) && isIdentifier(id))
          for (const [, amount] of amounts)
            if (quotes.size < MAX_QUOTES) addTo(quotes, quoteOf(String(id), Number(amount)), list)
    }
  }

  /** Fields of a request that repeat such an amount of another object that the request names. */
  of(collectionId: number, sample: MessageView, names: Pattern): ContextRecord[] {
    const quotes = this.#byCollection.get(collectionId)
    if (quotes === undefined) return []
    const { requestBody, query, url, method } = sample
    // What a request adds to a list is quoted by no other entry of the list.
    const own = method === 'POST' ? collectionOf(url) : null
    const segments = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split('/')
    if (NAMES_OWN.has(method)) segments.pop()
    const ids = [
      ...segments,
      ...query.map(({ value }) => value),
      ...requestBody.leaves.map(({ value }) => value),
    ]
    return requestBody.leaves.flatMap(({ key, value }) => {
      if (!names.test(key) || !isAmount(value)) return []
      const isQuoted = ids.some((id) => {
        const lists = isIdentifier(id) ? quotes.get(quoteOf(String(id), Number(value))) : undefined
        return lists !== undefined && [...lists].some((list) => list !== own)
      })
      return isQuoted ? [{ key, value: String(value) }] : []
    })
  }
}

function addTo(quotes: Map<string, Set<string>>, quote: string, list: string): void {
  const lists = quotes.get(quote)
  if (lists === undefined) quotes.set(quote, new Set([list]))
  else lists.add(list)
}

/** The path of a URL, up to what is done with its collection. */
function collectionOf(url: string): string {
  const segments = url
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .filter((segment) => segment !== '')
  if (DOES.test(segments.at(-1) ?? '')) segments.pop()
  return segments.join('/')
}

function quoteOf(id: string, amount: number): string {
  return `${id} ${amount}`
}

function isAmount(value: unknown): boolean {
  return (
    (typeof value === 'number' && value > 0) ||
    (typeof value === 'string' && /^\d{1,12}(?:\.\d+)?$/.test(value))
  )
}

function isIdentifier(value: unknown): boolean {
  return (typeof value === 'string' && value !== '' && value.length <= 128) || typeof value === 'number'
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return null // cut or malformed: it names no amount
  }
}
