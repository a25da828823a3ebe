import { portOf, type ScopeVerdict, type TargetScope } from './target-scope.ts'

/** The place that the URLs of one origin lead to, and whether requests may go there. */
export interface Destination {
  /** As the URL parser writes it; '' when there is none. */
  readonly origin: string
  /** Name or address, with the port when it is not the default. */
  readonly host: string
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
  readonly verdict: ScopeVerdict
}

/** Everything of an absolute URL before its path, as written. */
const BEFORE_PATH = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i
const MAX_KNOWN = 1000

/**
 * Finds the destination of a URL. A run sends thousands of requests to a handful of origins, so what was parsed and
 * checked once is kept; the address behind a name is checked again at every connection.
 */
export class Destinations {
  readonly #scope: TargetScope
  readonly #known = new Map<string, Destination>()

  constructor(scope: TargetScope) {
    this.#scope = scope
  }

  /** The destination; null when the text is not an absolute URL. Only what stands before the path is looked at. */
  of(url: string): Destination | null {
    const prefix = BEFORE_PATH.exec(url)?.[0]
    if (prefix === undefined) return null
    const known = this.#known.get(prefix)
    if (known !== undefined) return known
    if (!URL.canParse(prefix)) return null
    const parsed = new URL(prefix)
    const destination: Destination = {
      origin: parsed.origin,
      host: parsed.host,
      hostname: parsed.hostname,
      port: portOf(parsed),
      isTls: parsed.protocol === 'https:',
      verdict: this.#scope.check(parsed),
    }
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(prefix, destination)
    return destination
  }
}
