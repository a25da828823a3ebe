import type { Exchange } from '../../http/index.ts'
import type { ContextRecord, MessageView, Pattern } from '../../rules/index.ts'
import { isWrapper, singular } from './known-values.ts'

/** Longest answer that is read, and amounts that are kept of one collection. */
const MAX_BODY = 65_536
const MAX_QUOTES = 50_000
const MAX_NODES = 5_000
/** Names of an object's own identifier, what an identifier ends with that names its object, and names of amounts. */
const IDENTIFIER = /^(?:_?id|uuid|guid|sku|code|slug|ref(?:erence)?|number)$/
const ID_ENDING = /(?:_id|Id|ID|_uuid)$/
const AMOUNT = /amount|price|total|fee|cost|due|sum/i
/** Words in names of bounds: what lies between them is the caller's to say. */
const BOUND = /(?:^|[^a-z])(?:min(?:imum)?|max(?:imum)?|limits?|least|most)(?![a-z])/i
/** Last words of paths that say what is done with a collection. */
const DOES = /^(?:create|new|add|make|submit|history|list|all|search|recent|mine)$/i
/** Numbers that many objects of an application have. */
const NUMBER = /^\d{1,6}$/
/** What identifiers of requests are called that may name anything. */
const OF_ANYTHING = /^(?:item|object|entry|record|resource|target|entity)$/i
/** Methods whose path names the very object that they change. */
const NAMES_OWN = new Set(['PUT', 'PATCH'])

/**
 * Amounts that the application named in answers, each with the identifier of its object: what something costs is the
 * application's to say where it said so before.
 */
export class QuotedAmounts {
  readonly #byCollection = new Map<number, Quotes>()

  /** Keeps the amounts of an answer to a read. */
  learn(collectionId: number, { request, response }: Exchange): void {
    if (request.method !== 'GET' || response.status !== 200 || response.body.length > MAX_BODY) return
    const quotes: Quotes = this.#byCollection.get(collectionId) ?? new Map()
    this.#byCollection.set(collectionId, quotes)
    const list = collectionOf(request.target)
    // Each value with the name of what it is one of: `transactions`.
    const open: [unknown, string][] = [[parsed(response.body), nounOf(list)]]
    for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
      const [node, noun] = open.pop()!
      if (typeof node !== 'object' || node === null) continue
      const fields = Object.entries(node)
      const isList = Array.isArray(node)
      for (const [key, value] of fields) open.push([value, isList || isWrapper(key) ? noun : key])
      if (isList) continue
      const amounts = fields.filter(([key, value]) => namesAmount(key) && isAmount(value))
      for (const [key, id] of fields)
        if (amounts.length > 0 && namesOwn(key, noun) && isIdentifier(id))
          for (const [, amount] of amounts)
            if (quotes.size < MAX_QUOTES)
              addTo(quotes, quoteOf(String(id), Number(amount)), { list, noun: singular(noun) })
    }
  }

  /** Fields of a request that repeat such an amount of another object that the request names. */
  of(collectionId: number, sample: MessageView, names: Pattern): ContextRecord[] {
    const quotes = this.#byCollection.get(collectionId)
    if (quotes === undefined) return []
    const { requestBody, query, url, method } = sample
    // What a request adds to a list is quoted by no other entry of the list, read with the list or on its own.
    const own = method === 'POST' ? collectionOf(url) : null
    const segments = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split('/')
    if (NAMES_OWN.has(method)) segments.pop()
    const given = [
      ...segments.map((value) => ({ key: '', value })),
      ...query.map(({ name, value }) => ({ key: name, value })),
      ...requestBody.leaves,
    ]
    return requestBody.leaves.flatMap((amount) => {
      const { key, value } = amount
      if (!names.test(key) || !isAmount(value)) return []
      const isQuoted = given.some((one) => {
        if (one === amount || !isIdentifier(one.value)) return false
        const known = quotes.get(quoteOf(String(one.value), Number(value))) ?? []
        return known.some(
          ({ list, noun }) => list !== own && !list.startsWith(`${own}/`) && mayName(one, noun),
        )
      })
      return isQuoted ? [{ key, value: String(value) }] : []
    })
  }
}

/** Where an amount was named, by quote: the path of the list, and what it is a list of. */
type Quotes = Map<string, { readonly list: string; readonly noun: string }[]>

function addTo(quotes: Quotes, quote: string, place: { readonly list: string; readonly noun: string }): void {
  const known = quotes.get(quote)
  if (known === undefined) quotes.set(quote, [place])
  else if (!known.some(({ list, noun }) => list === place.list && noun === place.noun)) known.push(place)
}

/** Whether a value may be the identifier of such an object: a small number named as another's, `card_id`, is not. */
function mayName({ key, value }: { readonly key: string; readonly value: unknown }, noun: string): boolean {
  if (!ID_ENDING.test(key) || !NUMBER.test(String(value))) return true
  const about = singular(key.replace(ID_ENDING, '')).toLowerCase()
  const wanted = noun.toLowerCase()
  return OF_ANYTHING.test(about) || about.includes(wanted) || wanted.includes(about)
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

/** The last word of a path that is not an identifier. */
function nounOf(list: string): string {
  return list.split('/').findLast((segment) => !/\d/.test(segment)) ?? ''
}

/** Whether a field is the identifier of the object that has it: `payee_id` in a payment is not. */
function namesOwn(key: string, noun: string): boolean {
  return (
    IDENTIFIER.test(key) || (ID_ENDING.test(key) && singular(key.replace(ID_ENDING, '')) === singular(noun))
  )
}

function namesAmount(key: string): boolean {
  return AMOUNT.test(key) && !BOUND.test(key.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
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
