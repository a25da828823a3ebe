import { randomBytes } from 'node:crypto'
import { type EpochSeconds, nowSeconds } from '../../kit/index.ts'

/** A request of a target to the listener. Holds what a finding needs as evidence, cut to size. */
export interface CallbackHit {
  readonly at: EpochSeconds
  /** Address of the caller. */
  readonly address: string
  /** Method of HTTP; '' when what came is not HTTP. */
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
}

interface Entry {
  readonly expiresAt: EpochSeconds
  readonly redirectUrl: string | null
  readonly hits: CallbackHit[]
  count: number
}

const MAX_IDS = 100_000
const MAX_IDS_IN_REQUEST = 8
const LIFE_SECONDS = 24 * 3600
/** Hits that are kept of one id; further ones are only counted. */
const MAX_HITS_KEPT = 20
/** Hits that are kept of all ids together. */
const MAX_HITS_IN_ALL = 5_000
/** What may be an id: 128 bits in hex, with nothing of hex beside it. */
const ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/gi

/** An id that was just given out. */
export interface NewCallbackId {
  readonly id: string
  readonly redirectUrl: string | null
  readonly expiresAt: EpochSeconds
}

/** What may be ids in the texts of a request, each once, at most eight. */
export function idsIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.match(ID) ?? []).map((id) => id.toLowerCase())
  return [...new Set(found)].slice(0, MAX_IDS_IN_REQUEST)
}

/** The ids that tests gave out, and who called with them. In memory, bounded in number and in time. */
export class CallbackRegister {
  /** In order of registration, which is the order of expiry. */
  readonly #entries = new Map<string, Entry>()
  #hitsKept = 0

  /** A new id of 128 random bits, in hex. */
  add(redirectUrl: string | null): NewCallbackId {
    this.#forgetOld()
    const id = randomBytes(16).toString('hex')
    const expiresAt = nowSeconds() + LIFE_SECONDS
    this.#entries.set(id, { expiresAt, redirectUrl, hits: [], count: 0 })
    return { id, redirectUrl, expiresAt }
  }

  /** Counts a request for every known id among those it carries; tells where to redirect, or that no id is known. */
  record(ids: readonly string[], hit: CallbackHit): { isKnown: boolean; redirectUrl: string | null } {
    let isKnown = false
    let redirectUrl: string | null = null
    for (const id of ids) {
      const entry = this.#entry(id)
      if (entry === undefined) continue
      isKnown = true
      redirectUrl ??= entry.redirectUrl
      entry.count++
      // The first hit is the proof: an id never goes without it because others had many.
      const hasRoom = entry.hits.length < MAX_HITS_KEPT && this.#hitsKept < MAX_HITS_IN_ALL
      if (entry.hits.length > 0 && !hasRoom) continue
      entry.hits.push(hit)
      this.#hitsKept++
    }
    return { isKnown, redirectUrl }
  }

  /** How often an id was called with. */
  count(id: string): number {
    return this.#entry(id)?.count ?? 0
  }

  /** The first hits of an id. */
  hits(id: string): readonly CallbackHit[] {
    return this.#entry(id)?.hits ?? []
  }

  #entry(id: string): Entry | undefined {
    const entry = this.#entries.get(id)
    return entry !== undefined && entry.expiresAt > nowSeconds() ? entry : undefined
  }

  #forgetOld(): void {
    const now = nowSeconds()
    for (const [id, { expiresAt, hits }] of this.#entries) {
      if (expiresAt > now && this.#entries.size < MAX_IDS) break
      this.#hitsKept -= hits.length
      this.#entries.delete(id)
    }
  }
}
