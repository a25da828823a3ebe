import type { Exchange } from '../../http/index.ts'

/** How often a host is asked for pages that nobody made, besides its root. */
const PROBES_PER_HOST = 10
/** A body that comes at least so often is a page for everything. */
const SEEN_AT_LEAST = 5

/** Bodies by host that come for paths nobody made: an answer with one of them proves nothing. */
export class DefaultPages {
  readonly #bodies = new Map<string, ReadonlySet<string>>()
  /** Those of all hosts: most answers are none of them, and then their host need not be read. */
  readonly #ofAny = new Set<string>()

  /** Takes the answers of a host to the probes. */
  learn(host: string, answers: readonly { status: number; body: string }[]): void {
    const counts = new Map<string, number>()
    for (const { status, body } of answers) {
      if (status < 200 || status > 299 || body === '' || body === '{}') continue
      counts.set(body, (counts.get(body) ?? 0) + 1)
    }
    const frequent = [...counts].filter(([, count]) => count >= SEEN_AT_LEAST).map(([body]) => body)
    this.#bodies.set(host, new Set(frequent))
    for (const body of frequent) this.#ofAny.add(body)
  }

  /** True when the answer is what its host gives for anything. */
  has(exchange: Exchange): boolean {
    if (!this.#ofAny.has(exchange.response.body) || !URL.canParse(exchange.request.target)) return false
    const bodies = this.#bodies.get(new URL(exchange.request.target).host)
    return bodies?.has(exchange.response.body) ?? false
  }

  isKnown(host: string): boolean {
    return this.#bodies.has(host)
  }
}

/** Paths to probe a host with: its root, and others that nobody made. */
export function probePaths(random: () => string): string[] {
  return ['/', ...Array.from({ length: PROBES_PER_HOST - 1 }, () => `/${random()}`)]
}
