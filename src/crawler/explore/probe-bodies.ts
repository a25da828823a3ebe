import { bodyAfter, MADE_UP, type ProbeBody } from './complained-body.ts'
import type { Knowledge } from './knowledge.ts'
import { type Entry, recordOf } from './list-entries.ts'

/** What is known of a request that a script names. */
interface NamedRequest {
  readonly url: string
  readonly method: string
  readonly bodyKeys: readonly string[] | null
}

/** Names of what an application gives to an entry itself, and of what is mostly unique to it. */
const IDS = /^(?:_?id|pk|u?uid|guid)$/i
const NAMES = /^(?:key|name|slug|code|identifier|title|label|e-?mail|user_?name|login)$/i

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
   * nothing changes. What is replaced by none of its fields is sent whole.
   *
   * @param record what a GET of the same address answers; '' where it is not known
   * @returns null without a body; undefined where the call is not to be sent: what is there could not be read
   */
  first({ method, url, bodyKeys }: NamedRequest, record = ''): ProbeBody | null | undefined {
    if (method === 'GET' || method === 'HEAD') return null
    const isOfList = this.#knowledge.paths.hasListAt(new URL(url))
    // Options of a call that deletes by a body hold it as `data`.
    if (method === 'DELETE')
      return bodyKeys?.includes('data') || (isOfList && this.#byList.has(method)) ? this.#ownAt(url) : null
    if (isOfList && bodyKeys === null && this.#byList.has(method)) return []
    const there = record === '' ? null : readRecord(record)
    if (there === undefined || bodyKeys === null) return there === null ? {} : there
    if (there === null) {
      const valueFor = method === 'POST' ? this.#newValue.bind(this) : this.#textFor.bind(this)
      return Object.fromEntries(bodyKeys.map((key) => [key, valueFor(key, url)]))
    }
    const known = bodyKeys.filter((key) => Object.hasOwn(there, key))
    if (known.length === 0 && method === 'PUT') return there
    return Object.fromEntries(known.map((key) => [key, there[key]]))
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
    if (body !== null) return bodyAfter(body, answer, (field) => this.#wantedText(field, { method, url }))
    return this.#ownAt(url)
  }

  /** Notes that a body was accepted. */
  noteAccepted({ method }: NamedRequest, body: ProbeBody | null): void {
    if (Array.isArray(body) && method !== 'POST') this.#byList.add(method)
  }

  #ownAt(url: string): readonly unknown[] {
    return this.#knowledge.paths.ownAt(new URL(url)).map(asNumber)
  }

  /** The value of a field of another entry of the list at an address: that of its newest one, but for what is to be unique. */
  #newValue(field: string, url: string): unknown {
    const { account, paths } = this.#knowledge
    const at = new URL(url)
    const newest = paths.newestAt(at)
    if (newest === null || !Object.hasOwn(newest, field) || IDS.test(field)) return this.#textFor(field, url)
    const value = newest[field]
    if (value === null || typeof value === 'boolean') return value
    const isOwn = (id: string): boolean => account.isOwn(`${at.pathname} ${field}`, id)
    if (typeof value === 'number') return isOwn(String(value)) ? asNumber(this.#textFor(field, url)) : value
    // What holds anything may name the account somewhere in it.
    if (typeof value !== 'string') return JSON.stringify(value).length > 2 ? this.#textFor(field, url) : value
    if (NAMES.test(field) || field === paths.idNameAt(at))
      return `vigil_${Date.now().toString(36)}${value.includes('@') ? '@example.com' : ''}`
    return isOwn(value) ? this.#textFor(field, url) : value
  }

  /** The same as a text, for what answers ask for. */
  #wantedText(field: string, { method, url }: Pick<NamedRequest, 'method' | 'url'>): string {
    const value = method === 'POST' ? this.#newValue(field, url) : null
    return typeof value === 'string' || typeof value === 'number' ? String(value) : this.#textFor(field, url)
  }

  /** What a list has that is called like a field, or else what traffic has for it; never the account of the crawl. */
  #textFor(field: string, url: string): string {
    const { account, paths } = this.#knowledge
    const { origin, pathname } = new URL(url)
    const isOwn = (value: string): boolean => account.isOwn(`${pathname} ${field}`, value)
    const listed = paths.listedFor(origin, field).find((id) => !isOwn(id))
    const value = listed ?? this.#knowledge.valueOf(field) ?? MADE_UP
    return isOwn(value) ? '0' : value
  }
}

/** The record in an answer; null without, undefined where it was cut off or is not JSON. */
function readRecord(answer: string): Entry | null | undefined {
  try {
    return recordOf(JSON.parse(answer))
  } catch {
    // What is not known whole cannot be sent back as it is.
    return undefined
  }
}

function asNumber(id: string): unknown {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id
}
