const MAX_DEPTH = 12
const MAX_VALUES = 20
const MAX_LEAVES = 5_000
const ID = /^(?:id|_id|uuid|guid)$/i
/** Names a thing by an identifier, its own or that of another. */
const FOREIGN = /(?:id|uuid|guid)$/i

/** Values that answers of a run showed, by the resource that they are ids of and by the names they had. */
export class KnownValues {
  readonly #ids = new Map<string, string[]>()
  readonly #byName = new Map<string, string[]>()

  /** Learns from the answer of a request; `resource` is the last literal segment of its path, such as `orders`. */
  learn(resource: string, body: string): void {
    let tree: unknown
    try {
      tree = JSON.parse(body)
    } catch {
      return // an answer without JSON has no ids
    }
    let left = MAX_LEAVES
    const visit = (node: unknown, depth: number, of: string): void => {
      if (depth > MAX_DEPTH || typeof node !== 'object' || node === null) return
      if (Array.isArray(node)) {
        for (const item of node) visit(item, depth + 1, of)
        return
      }
      for (const [name, value] of Object.entries(node)) {
        if (left-- <= 0) return
        if (typeof value === 'string' || typeof value === 'number') {
          if (ID.test(name)) this.note(of, String(value))
          put(this.#byName, name.toLowerCase(), String(value))
        } else {
          // A list inside an answer holds things named like the list: `{"items":[{"id":1}]}` says nothing of orders.
          visit(value, depth + 1, isWrapper(name) ? of : name)
        }
      }
    }
    visit(tree, 0, resource)
  }

  /**
   * Learns the names that a thing was created under, such as a title or a user name. An identifier in a request is not
   * learned: most applications choose their own.
   */
  learnSent(body: string): void {
    let tree: unknown
    try {
      tree = JSON.parse(body)
    } catch {
      return // forms and texts are not read
    }
    if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return
    for (const [name, value] of Object.entries(tree))
      if (typeof value === 'string' && !FOREIGN.test(name)) put(this.#byName, name.toLowerCase(), value)
  }

  /** Notes the id of a resource as the one that was seen last. */
  note(resource: string, id: string): void {
    put(this.#ids, singular(resource), id)
  }

  /** Forgets the id of something that is gone. */
  forget(resource: string, id: string): void {
    const known = this.#ids.get(singular(resource))
    if (known !== undefined)
      this.#ids.set(
        singular(resource),
        known.filter((one) => one !== id),
      )
  }

  /** The id of a resource that was seen last; `resource` in singular or plural. */
  idOf(resource: string): string | null {
    return this.#ids.get(singular(resource))?.at(-1) ?? null
  }

  /**
   * The value for a parameter or field that names another thing: `orderId`, `order_id`, or `id` behind the segment
   * `orders`. Null when it names none that is known.
   */
  referenceFor(name: string, resource: string): string | null {
    const thing = /^(.+?)[-_]?(?:id|uuid|guid|key|number|no)$/i.exec(name)?.[1]
    if (ID.test(name)) return this.idOf(resource)
    if (thing === undefined) return this.#byName.get(name.toLowerCase())?.at(-1) ?? null
    return this.idOf(thing) ?? this.#byName.get(name.toLowerCase())?.at(-1) ?? null
  }
}

/** Names under which whole answers stand. */
export function isWrapper(name: string): boolean {
  return /^(?:data|results?|items|content|records|rows|list|entries|values|payload|response|page|nodes?|edges)$/i.test(
    name,
  )
}

function put(all: Map<string, string[]>, key: string, value: string): void {
  if (value === '' || value.length > 200) return
  const known = all.get(key) ?? []
  all.set(key, [...known.filter((one) => one !== value), value].slice(-MAX_VALUES))
}

/**
 * The identifier of the resource in an answer: of the object itself, or of the one that `data` or its own name wraps. One
 * that stands elsewhere may be that of something else; null then.
 */
export function ownId(body: string, resource: string): string | null {
  let tree: unknown
  try {
    tree = JSON.parse(body)
  } catch {
    return null // an answer without JSON names nothing
  }
  const own = idIn(tree)
  if (own !== null || typeof tree !== 'object' || tree === null || Array.isArray(tree)) return own
  const inner = Object.entries(tree).find(
    ([name]) => isWrapper(name) || singular(name) === singular(resource),
  )
  return inner === undefined ? null : idIn(inner[1])
}

function idIn(tree: unknown): string | null {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return null
  const found = Object.entries(tree).find(([name]) => ID.test(name))?.[1]
  const text = typeof found === 'string' || typeof found === 'number' ? String(found) : ''
  return text === '' || text.length > 200 ? null : text
}

/** `categories` → `category`, `orders` → `order`, in lower case without separators. */
export function singular(word: string): string {
  const plain = word.toLowerCase().replace(/[-_]/g, '')
  if (plain.endsWith('ies')) return `${plain.slice(0, -3)}y`
  if (/(?:s|x|ch|sh)es$/.test(plain)) return plain.slice(0, -2)
  return plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain
}
