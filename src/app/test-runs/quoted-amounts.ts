import type { Exchange } from '../../http/index.ts'
import type { ContextRecord, MessageView, Pattern } from '../../rules/index.ts'

/** Longest answer that is read, and amounts that are kept of one collection. */
const MAX_BODY = 65_536
const MAX_QUOTES = 50_000
const MAX_NODES = 5_000
/** Names of identifiers and of amounts. */
const IDENTIFIER = /^(?:_?id|uuid|guid|sku|code|slug|ref(?:erence)?|number)$|(?:_id|Id|ID|_uuid)$/
const AMOUNT = /amount|price|total|fee|cost|due|sum/i
/** Methods whose path names the very object that they change. */
const NAMES_OWN = new Set(['PUT', 'PATCH'])

/**
 * Amounts that the application named in answers, each with the identifier of its object: what something costs is the
 * application's to say where it said so before.
 */
export class QuotedAmounts {
  readonly #byCollection = new Map<number, Set<string>>()

  /** Keeps the amounts of an answer to a read. */
  learn(collectionId: number, { request, response }: Exchange): void {
    if (request.method !== 'GET' || response.status !== 200 || response.body.length > MAX_BODY) return
    const quotes = this.#byCollection.get(collectionId) ?? new Set<string>()
    this.#byCollection.set(collectionId, quotes)
    const open: unknown[] = [parsed(response.body)]
    for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
      const node = open.pop()
      if (typeof node !== 'object' || node === null) continue
      open.push(...Object.values(node))
      if (Array.isArray(node)) continue
      const fields = Object.entries(node)
      const amounts = fields.filter(([key, value]) => AMOUNT.test(key) && isAmount(value))
      for (const [key, id] of fields)
        if (amounts.length > 0 && IDENTIFIER.test(key) && isIdentifier(id))
          for (const [, amount] of amounts)
            if (quotes.size < MAX_QUOTES) quotes.add(quoteOf(String(id), Number(amount)))
    }
  }

  /** Fields of a request that repeat such an amount of another object that the request names. */
  of(collectionId: number, sample: MessageView, names: Pattern): ContextRecord[] {
    const quotes = this.#byCollection.get(collectionId)
    if (quotes === undefined) return []
    const { requestBody, query, url, method } = sample
    const segments = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split('/')
    if (NAMES_OWN.has(method)) segments.pop()
    const ids = [
      ...segments,
      ...query.map(({ value }) => value),
      ...requestBody.leaves.map(({ value }) => value),
    ]
    return requestBody.leaves.flatMap(({ key, value }) => {
      if (!names.test(key) || !isAmount(value)) return []
      const isQuoted = ids.some((id) => isIdentifier(id) && quotes.has(quoteOf(String(id), Number(value))))
      return isQuoted ? [{ key, value: String(value) }] : []
    })
  }
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
