import { type Exchange, headerValue, type Sender, type SendPurpose } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import type { Lookups } from '../../rules/index.ts'
import type { PairResult } from '../../testing/index.ts'

/** Deletions of one run. */
const MAX_DELETIONS = 1000
/** Longest answer that is searched for an identifier. */
const MAX_BODY = 1024 * 1024
/** Headers of the request that made something which have no place in the one that deletes it. */
const OF_BODY = /^(?:content-.*|transfer-encoding|expect)$/i
const IDENTIFIER = /^(?:_?id|uuid|guid)$/i
const WRAPPER = /^(?:data|result|item|payload|response)$/i
/** Values that can be a path segment. */
const PLAIN = /^[A-Za-z0-9._~-]{1,128}$/

/** What cleaning up needs of the run. */
export interface CleanUpGround {
  readonly sender: Sender
  readonly purpose: SendPurpose
  readonly lookups: Lookups
  readonly signal: AbortSignal
}

/**
 * Deletes what tests made: for each POST that was answered with 2xx and an identifier, the DELETE endpoint below it, where
 * the inventory knows one, is called with the credentials that made it. Nothing else is ever deleted.
 */
export class CleanUp {
  readonly #ground: CleanUpGround
  readonly #seen = new Set<string>()

  constructor(ground: CleanUpGround) {
    this.#ground = ground
  }

  /** Deletes what the attempts and controls of results made; ends quietly when the run does. */
  async after(results: readonly PairResult[]): Promise<void> {
    for (const { endpoint, testId, attempts, control } of results) {
      const sent = [...attempts, ...(control?.attempt ? [control.attempt] : [])]
      for (const { exchange } of sent) {
        const url = deletionUrl(exchange)
        if (url === null || this.#seen.has(url) || this.#seen.size >= MAX_DELETIONS) continue
        if (!this.#ground.lookups.isKnownEndpoint(endpoint.collectionId, 'DELETE', url)) continue
        this.#seen.add(url)
        await this.#delete(url, exchange, testId)
      }
    }
  }

  async #delete(url: string, { request }: Exchange, testId: string): Promise<void> {
    const { sender, purpose, signal } = this.#ground
    if (signal.aborted) return
    const headers = request.headers.filter((_part, i, all) => !OF_BODY.test(all[i - (i % 2)]!))
    try {
      await sender.send(
        { method: 'DELETE', url, headers, body: null },
        { followRedirects: false, signal, purpose: { ...purpose, testId } },
      )
    } catch (error) {
      // The audit tells it; a result does not change because something stayed behind.
      if (!(error instanceof Failure)) throw error
    }
  }
}

/** The URL of what a POST made, as its answer tells; null when it made nothing that can be named. */
export function deletionUrl({ request, response }: Exchange): string | null {
  if (request.method !== 'POST' || response.status < 200 || response.status > 299) return null
  if (!URL.canParse(request.target)) return null
  const made = new URL(request.target)
  const parent = made.origin + made.pathname.replace(/\/$/, '')
  const location = headerValue(response.headers, 'location')
  if (location !== undefined && URL.canParse(location, made.href)) {
    const url = new URL(location, made)
    // Only what lies below the address it was posted to.
    if (`${url.origin}${url.pathname}`.startsWith(`${parent}/`)) return `${url.origin}${url.pathname}`
  }
  const id = identifierIn(response.body)
  return id === null ? null : `${parent}/${id}`
}

/**
 * The identifier of the object in an answer, or of the one that `data` or the like wraps. One that stands deeper may be
 * that of something else, which must stay.
 */
function identifierIn(body: string): string | null {
  if (body.length > MAX_BODY || !/^\s*\{/.test(body)) return null
  let tree: unknown
  try {
    tree = JSON.parse(body)
  } catch {
    return null // no JSON: nothing is named
  }
  return ownIdentifier(tree) ?? ownIdentifier(wrappedIn(tree))
}

function ownIdentifier(tree: unknown): string | null {
  if (typeof tree !== 'object' || tree === null) return null
  const named = Object.entries(tree).find(
    ([key, value]) => IDENTIFIER.test(key) && (typeof value === 'string' || typeof value === 'number'),
  )
  const text = named === undefined ? '' : String(named[1])
  return PLAIN.test(text) ? text : null
}

function wrappedIn(tree: unknown): unknown {
  return Object.entries(tree as object).find(([key]) => WRAPPER.test(key))?.[1] ?? null
}
