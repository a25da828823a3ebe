import { percentDecoded } from '../../kit/index.ts'
import type { GuardedRequest } from '../browser/request-guard.ts'
import { wordsOf } from './changing-words.ts'

/** Longest answer that is read, in characters; records read in it, and how deep they may be. */
const MOST_LETTERS = 500_000
const MOST_RECORDS = 5_000
const DEPTH = 8
/** Ids kept. */
const MOST = 200

/** Paths that stand for who is signed in. */
const ASKS_WHO = /\/(?:me|self|who-?am-?i|current[-_]?user|profile|account)\/?$/i
/** Names of what people sign in by, and of what records are known by. */
const LOGIN_NAMES = /^(?:e-?mail(?:_?address)?|(?:user|login|preferred_user)_?name|login|name|sub)$/i
const ID_NAMES = /^(?:_?id|pk|u?uid|guid|(?:user|account|member)_?id|key|slug)$/i
/** Names of properties that tell what somebody may do. */
const RIGHTS_NAMES = /(?:role|group|polic|permission)/i
/** Words of a segment that stands before the id of an account, and before that of rights. */
const ACCOUNT = /^(?:users?|accounts?|members?|people|persons?|profiles?|admins?|administrators?|staff)$/
const RIGHTS = /^(?:roles?|groups?|polic(?:y|ies)|permissions?)$/

type Properties = Readonly<Record<string, unknown>>

/**
 * The account that a crawl has signed in by, and the roles that let it in, by their ids in what the application answers.
 * Bounded.
 */
export class OwnAccount {
  readonly #identity: string
  readonly #accounts: Set<string>
  readonly #rights = new Set<string>()

  /** `identity`: the name that the crawl signs in by. */
  constructor(identity: string) {
    this.#identity = identity.toLowerCase()
    this.#accounts = new Set([this.#identity])
  }

  /** Reads an answer: the record that says who is signed in, and records that have the name of the account. */
  note({ pathname }: URL, body: string): void {
    const asksWho = standsForCaller(pathname)
    if (body.length > MOST_LETTERS || !/^\s*[[{]/.test(body)) return
    if (!asksWho && !body.toLowerCase().includes(JSON.stringify(this.#identity))) return
    let answer: unknown
    try {
      answer = JSON.parse(body)
    } catch {
      // Cut off, or not JSON after all.
      return
    }
    const records = recordsIn(answer)
    const own = records.filter((record) => this.#isNamed(record))
    // What holds the account, such as `data`, has no id.
    const first = asksWho ? records.find((record) => idsOf(record).length > 0) : undefined
    for (const record of own.length > 0 || first === undefined ? own : [first]) this.#keep(record)
  }

  #isNamed(record: Properties): boolean {
    return Object.entries(record).some(
      ([name, value]) =>
        LOGIN_NAMES.test(name) && typeof value === 'string' && value.toLowerCase() === this.#identity,
    )
  }

  #keep(record: Properties): void {
    for (const id of idsOf(record)) if (this.#accounts.size < MOST) this.#accounts.add(id)
    for (const [name, value] of Object.entries(record)) {
      if (!RIGHTS_NAMES.test(name)) continue
      for (const id of rightsIn(value)) if (this.#rights.size < MOST) this.#rights.add(id)
    }
  }

  /** Whether a path names the account, its roles or something below them, or a query does. */
  isIn({ pathname, searchParams }: URL): boolean {
    const segments = pathname.split('/').map(percentDecoded)
    return (
      segments.some((segment, at) => this.isOwn(segments[at - 1] ?? '', segment)) ||
      [...searchParams].some(([name, value]) => this.isOwn(`${pathname} ${name}`, value))
    )
  }

  /** Whether a request deletes the account or a role of it, by its address or by a list in its body. */
  isDeletedBy({ method, url, body }: Pick<GuardedRequest, 'method' | 'url' | 'body'>): boolean {
    if (method !== 'DELETE') return false
    if (standsForCaller(url.pathname)) return true
    // A body that is cut off, or no JSON, names nothing.
    const named = [...(body ?? '').matchAll(/"([^"\\]{1,200})"|\b(\d{1,15})\b/g)].map(
      (match) => match[1] ?? match[2]!,
    )
    return this.isIn(url) || named.some((id) => this.isOwn(url.pathname, id))
  }

  /** Whether a segment of a path is the id of the account or of a role of it. `before`: the segment before it. */
  isOwn(before: string, segment: string): boolean {
    const id = segment.toLowerCase()
    const words = wordsOf(before)
    return [
      { ids: this.#accounts, name: ACCOUNT },
      { ids: this.#rights, name: RIGHTS },
    ].some(({ ids, name }) => ids.has(id) && (isUnmistakable(id) || words.some((word) => name.test(word))))
  }
}

/** Whether a path stands for the account of the caller; behind an id it is mostly what another account has. */
export function standsForCaller(pathname: string): boolean {
  return ASKS_WHO.test(pathname) && !/\/\d+\//.test(pathname)
}

/** Whether an id can be that of nothing else: other records are numbered as well, or have short names. */
function isUnmistakable(id: string): boolean {
  return id.includes('@') || (id.length >= 16 && /\d/.test(id))
}

function recordsIn(answer: unknown): Properties[] {
  const found: Properties[] = []
  let level: unknown[] = [answer]
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    found.push(...level.filter(isRecord))
    level = level
      .flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
      .slice(0, MOST_RECORDS)
  }
  return found
}

/** What a record is known by, its login names included. */
function idsOf(record: Properties): string[] {
  return Object.entries(record)
    .filter(([name]) => ID_NAMES.test(name) || LOGIN_NAMES.test(name))
    .flatMap(([, value]) => idOf(value))
}

/** Ids of roles: one or many, with or without what else is known of them. */
function rightsIn(value: unknown): string[] {
  const each = Array.isArray(value) ? value : [value]
  return each.flatMap((right) => (isRecord(right) ? idsOf(right) : idOf(right)))
}

function idOf(value: unknown): string[] {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : ''
  return text === '' || text.length > 200 ? [] : [text]
}

function isRecord(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
