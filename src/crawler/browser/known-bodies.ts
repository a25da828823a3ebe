import type { KeptBody } from './flight.ts'
import type { ResourceKind } from './request-guard.ts'
import type { WireResponse } from './wire-facts.ts'

/** Bytes that are kept. */
const CAPACITY = 24 * 1024 * 1024
/** Kinds that every page of an application loads again, and that are the same each time. */
const REPEATED: ReadonlySet<ResourceKind> = new Set(['Script', 'Stylesheet'])

/**
 * Bodies of scripts and style sheets that were read before: those of a large application are megabytes, and its pages load
 * them over and over. A body is known by its URL and what the server says of its version (RFC 9110 section 8.8).
 */
export class KnownBodies {
  readonly #bodies = new Map<string, KeptBody>()
  #bytes = 0

  /** The body of an answer of the same version; null when there was none. */
  get(kind: ResourceKind, response: WireResponse | null): KeptBody | null {
    const key = keyOf(kind, response)
    const known = key === null ? undefined : this.#bodies.get(key)
    if (key === null || known === undefined) return null
    this.#bodies.delete(key)
    this.#bodies.set(key, known)
    return known
  }

  /** Keeps a body, in place of those that were asked for longest ago. */
  keep(kind: ResourceKind, response: WireResponse | null, body: KeptBody): void {
    const key = keyOf(kind, response)
    if (key === null || this.#bodies.has(key)) return
    this.#bodies.set(key, body)
    this.#bytes += sizeOf(body)
    for (const [oldest, other] of this.#bodies) {
      if (this.#bytes <= CAPACITY) break
      this.#bodies.delete(oldest)
      this.#bytes -= sizeOf(other)
    }
  }
}

function sizeOf({ bytes, whole = bytes }: KeptBody): number {
  return whole.length
}

/** Null where nothing tells one version from another. */
function keyOf(kind: ResourceKind, response: WireResponse | null): string | null {
  if (response === null || response.status !== 200 || !REPEATED.has(kind)) return null
  const { etag, modified, length } = versionOf(response)
  if (etag === '' && (modified === '' || length === '')) return null
  return `${response.url}\n${etag}\n${modified}\n${length}`
}

function versionOf({ headers }: WireResponse): { etag: string; modified: string; length: string } {
  const version = { etag: '', modified: '', length: '' }
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (lower === 'etag') version.etag = value
    else if (lower === 'last-modified') version.modified = value
    else if (lower === 'content-length') version.length = value
  }
  return version
}
