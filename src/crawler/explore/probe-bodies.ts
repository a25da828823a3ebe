import { bodyAfter, type ProbeBody } from './complained-body.ts'
import type { Knowledge } from './knowledge.ts'

/** What is known of a request that a script names. */
interface NamedRequest {
  readonly url: string
  readonly method: string
  readonly bodyKeys: readonly string[] | null
}

/** Where a text that nothing is known for comes from. */
const UNKNOWN = 'vigil'

/** Bodies of calls that scripts name, in mode `full` alone. */
export class ProbeBodies {
  readonly #knowledge: Pick<Knowledge, 'account' | 'paths' | 'valueOf'>

  /** Methods by which lists were accepted for a list, so that others of them are not asked in vain. */
  readonly #byList = new Set<string>()

  constructor(knowledge: Pick<Knowledge, 'account' | 'paths' | 'valueOf'>) {
    this.#knowledge = knowledge
  }

  /**
   * The first body of a call: the names that the script writes, with what is there already where that is known, so that
   * nothing changes.
   *
   * @param record what a GET of the same address answers; '' where it is not known
   * @returns null without a body
   */
  first({ method, url, bodyKeys }: NamedRequest, record = ''): ProbeBody | null {
    if (method === 'GET' || method === 'HEAD') return null
    const isOfList = this.#knowledge.paths.hasListAt(new URL(url))
    // Options of a call that deletes by a body hold it as `data`.
    if (method === 'DELETE')
      return bodyKeys?.includes('data') || (isOfList && this.#byList.has(method)) ? this.#ownAt(url) : null
    if (isOfList && bodyKeys === null && this.#byList.has(method)) return []
    const there = recordIn(record)
    if (bodyKeys === null) return there
    const body: Record<string, unknown> = Object.create(null)
    for (const key of bodyKeys) body[key] = there[key] ?? this.#textFor(key, url)
    return body
  }

  /**
   * The next body after an answer (400, 422) that refused one. What is deleted by a body is a list of what the crawl made
   * there.
   *
   * @returns null where the answer asks for nothing else
   */
  next({ method, url }: NamedRequest, body: ProbeBody | null, answer: string): ProbeBody | null {
    // Anything else that it asks for may be about all that is there.
    if (method === 'DELETE' && body !== null) return null
    if (body !== null) return bodyAfter(body, answer, (field) => this.#textFor(field, url))
    return this.#ownAt(url)
  }

  /** Notes that a body was accepted. */
  noteAccepted({ method }: NamedRequest, body: ProbeBody | null): void {
    if (Array.isArray(body) && method !== 'POST') this.#byList.add(method)
  }

  #ownAt(url: string): readonly unknown[] {
    return this.#knowledge.paths.ownAt(new URL(url)).map(asNumber)
  }

  /** What a list has that is called like a field, or else what traffic has for it; never the account of the crawl. */
  #textFor(field: string, url: string): string {
    const { account, paths } = this.#knowledge
    const { origin, pathname } = new URL(url)
    const isOwn = (value: string): boolean => account.isOwn(`${pathname} ${field}`, value)
    const listed = paths.listedFor(origin, field).find((id) => !isOwn(id))
    const value = listed ?? this.#knowledge.valueOf(field) ?? UNKNOWN
    return isOwn(value) ? '0' : value
  }
}

function asNumber(id: string): unknown {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id
}

/** The record in an answer: the answer itself, or what its only property holds. Empty without. */
function recordIn(answer: string): Readonly<Record<string, unknown>> {
  let read: unknown
  try {
    read = JSON.parse(answer)
  } catch {
    // Cut off, or not JSON.
    return {}
  }
  if (!isRecord(read)) return {}
  const [only, ...others] = Object.values(read)
  return others.length === 0 && isRecord(only) ? only : read
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
