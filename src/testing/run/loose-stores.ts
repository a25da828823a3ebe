import { templateWords } from '../../contract/vocabulary.ts'
import type { EndpointKey } from './pair-result.ts'

const PARAMETER_WORDS: ReadonlySet<string> = new Set(templateWords)

/**
 * Resources whose objects keep every field that callers send, under any name. There, what is stored proves nothing, and
 * some stores keep a column for each name when its object is gone.
 */
export class LooseStores {
  readonly #resources = new Set<string>()

  add(endpoint: EndpointKey): void {
    this.#resources.add(resourceOf(endpoint))
  }

  has(endpoint: EndpointKey): boolean {
    return this.#resources.has(resourceOf(endpoint))
  }
}

/** The list that the object of an endpoint is in, or the endpoint's own URL: objects are made there and changed below it. */
function resourceOf({ collectionId, url }: EndpointKey): string {
  const segments = url.replace(/\/$/, '').split('/')
  if (PARAMETER_WORDS.has(segments.at(-1)!)) segments.pop()
  return `${collectionId} ${segments.join('/')}`
}
