import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { createdUrls } from './created-object.ts'
import type { PendingCreation } from './pending-write.ts'

/**
 * Objects that an execution itself made and may therefore delete, with the writes that hold each: an application may answer
 * several creations of the same values with one object.
 */
export class OwnObjects {
  /** By URL: how many writes that are not undone yet made the object. */
  readonly #holders = new Map<string, number>()

  has(url: string): boolean {
    return this.#holders.has(url)
  }

  /** Notes the URLs of an object that no write, or one that is noted already, holds. */
  add(...urls: readonly string[]): void {
    for (const url of urls) this.#holders.set(url, this.#holders.get(url) ?? 0)
  }

  /** Notes what a write made; {@link last} lets go of it. */
  hold(urls: readonly string[]): void {
    for (const url of urls) this.#holders.set(url, (this.#holders.get(url) ?? 0) + 1)
  }

  /** A creation that lets go of what it made, without what other writes still hold. */
  last(write: PendingCreation): PendingCreation {
    const created = write.created?.filter((url) => {
      const others = (this.#holders.get(url) ?? 1) - 1
      this.#holders.set(url, Math.max(others, 0))
      return others <= 0
    })
    return { ...write, created: created ?? null }
  }
}

/**
 * Whether an object was there before the tests: somebody was recorded making or using it, and nobody deleting it. A
 * request that would make it again is given the one that people have.
 */
export function wasThere(url: string, related: readonly Exchange[]): boolean {
  const list = url.slice(0, url.lastIndexOf('/'))
  const welcome = related.filter(({ response: { status } }) => status >= 200 && status < 300)
  const isDeleted = welcome.some((one) => one.request.method === 'DELETE' && addressOf(one) === url)
  if (isDeleted) return false
  return welcome.some((one) => {
    const address = addressOf(one)
    return address === list
      ? createdUrls(one).includes(url)
      : address === url || address.startsWith(`${url}/`)
  })
}

function addressOf({ request }: Exchange): string {
  return absoluteUrl(request)
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
}
