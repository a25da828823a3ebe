import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { type EndpointKey, endpointText } from './pair-result.ts'
import type { SendObstacle } from './send-failure.ts'

/** Why an endpoint has no sample, so that it cannot be tested. */
export interface SampleLack {
  readonly code: SendObstacle | 'NO_PATH'
  /** A sentence for people. */
  readonly explanation: string
}

/** Nobody has observed the endpoint, and no document describes it. */
export const NO_SAMPLE: SampleLack = { code: 'NO_PATH', explanation: 'The endpoint has no sample.' }

/** Samples by endpoint: the one that tests start from, those of other callers, and what else was recorded. */
export class SampleShelf {
  readonly #byEndpoint = new Map<string, readonly Exchange[]>()
  /** For tests that send nothing. */
  readonly #alsoRecorded = new Map<string, readonly Exchange[]>()
  /** Accepted requests that may have made what other samples are about. */
  readonly #creations = new Map<string, readonly Exchange[]>()
  /** Answered reads, without their answers. */
  readonly #reads = new Map<string, readonly Exchange[]>()
  readonly #byCollection = new Map<number, Exchange[]>()
  /** Those of every caller. */
  readonly #everyOne = new Map<number, Exchange[]>()
  /** Own requests of the attacker that were made from documents: they show what it may use, and are not tested. */
  readonly #ofAttacker = new Map<string, Exchange>()
  readonly #lacks = new Map<string, SampleLack>()
  /** What {@link relatedTo} found, until the shelf changes: it is asked before every request. */
  readonly #related = new Map<number, readonly Exchange[]>()

  /** Puts samples there, the best one first, in place of those that were. */
  put(endpoint: EndpointKey, ...samples: Exchange[]): void {
    this.remove(endpoint)
    const [first] = samples
    if (first === undefined) return
    this.#byEndpoint.set(endpointText(endpoint), samples)
    const known = this.#byCollection.get(endpoint.collectionId)
    if (known === undefined) this.#byCollection.set(endpoint.collectionId, [first])
    else known.push(first)
    const everyOne = this.#everyOne.get(endpoint.collectionId)
    if (everyOne === undefined) this.#everyOne.set(endpoint.collectionId, [...samples])
    else everyOne.push(...samples)
  }

  /** Adds what was recorded beside the samples that {@link put} has put, for tests that send nothing. */
  putAlsoRecorded(endpoint: EndpointKey, samples: readonly Exchange[]): void {
    if (samples.length > 0) this.#alsoRecorded.set(endpointText(endpoint), samples)
  }

  /** Adds accepted requests that may have made what samples of other endpoints are about; some are samples, too. */
  putCreations(endpoint: EndpointKey, samples: readonly Exchange[]): void {
    this.#related.clear()
    if (samples.length > 0) this.#creations.set(endpointText(endpoint), samples)
  }

  putOfAttacker(endpoint: EndpointKey, sample: Exchange): void {
    this.#ofAttacker.set(endpointText(endpoint), sample)
  }

  /** The own request of the attacker that was made from a document; null where none was. */
  ofAttacker(endpoint: EndpointKey): Exchange | null {
    return this.#ofAttacker.get(endpointText(endpoint)) ?? null
  }

  /** Adds answered reads beside the samples that {@link put} has put; their answers may be left out. */
  putReads(endpoint: EndpointKey, samples: readonly Exchange[]): void {
    if (samples.length > 0) this.#reads.set(endpointText(endpoint), samples)
  }

  /** @param lack why there is none from now on */
  remove(endpoint: EndpointKey, lack: SampleLack = NO_SAMPLE): void {
    this.#lacks.set(endpointText(endpoint), lack)
    this.#related.clear()
    const old = this.of(endpoint)
    if (old === null) return
    const gone = new Set(this.allOf(endpoint))
    const others = this.everyOf(endpoint.collectionId).filter((sample) => !gone.has(sample))
    this.#everyOne.set(endpoint.collectionId, others)
    this.#byEndpoint.delete(endpointText(endpoint))
    this.#alsoRecorded.delete(endpointText(endpoint))
    this.#creations.delete(endpointText(endpoint))
    this.#reads.delete(endpointText(endpoint))
    const known = this.#byCollection.get(endpoint.collectionId) ?? []
    known.splice(known.indexOf(old), 1)
  }

  /** Why an endpoint without a sample has none. */
  lackOf(endpoint: EndpointKey): SampleLack {
    return this.#lacks.get(endpointText(endpoint)) ?? NO_SAMPLE
  }

  of(endpoint: EndpointKey): Exchange | null {
    return this.allOf(endpoint)[0] ?? null
  }

  /** Every sample of an endpoint, at most one for each caller. */
  allOf(endpoint: EndpointKey): readonly Exchange[] {
    return this.#byEndpoint.get(endpointText(endpoint)) ?? []
  }

  /** The samples of {@link allOf}, then what else was recorded of the endpoint. */
  recordedOf(endpoint: EndpointKey): readonly Exchange[] {
    return [...this.allOf(endpoint), ...(this.#alsoRecorded.get(endpointText(endpoint)) ?? [])]
  }

  /** What {@link putReads} has put. */
  readsOf(endpoint: EndpointKey): readonly Exchange[] {
    return this.#reads.get(endpointText(endpoint)) ?? []
  }

  /** Samples of every caller, of all endpoints of a collection. */
  everyOf(collectionId: number): readonly Exchange[] {
    return this.#everyOne.get(collectionId) ?? []
  }

  /** Samples of every caller, of all endpoints of a collection, and further recorded requests that made something. */
  relatedTo(collectionId: number): readonly Exchange[] {
    const known = this.#related.get(collectionId)
    if (known !== undefined) return known
    const creations = [...this.#creations].flatMap(([key, samples]) =>
      key.startsWith(`${collectionId} `) ? samples : [],
    )
    const found = [...new Set([...this.everyOf(collectionId), ...creations])]
    this.#related.set(collectionId, found)
    return found
  }

  /** The first sample of each endpoint of a collection. */
  ofCollection(collectionId: number): readonly Exchange[] {
    return this.#byCollection.get(collectionId) ?? []
  }

  all(): Exchange[] {
    return [...this.#byEndpoint.values()].flatMap((samples) => samples.slice(0, 1))
  }

  /** Sends every sample to another scheme, host and port; the path of the URL, when it has one, goes in front. */
  redirect(url: string): void {
    this.#related.clear()
    const target = new URL(url)
    const moved = new Map<Exchange, Exchange>()
    const move = (sample: Exchange): Exchange => {
      const made = moved.get(sample) ?? redirected(sample, target)
      moved.set(sample, made)
      return made
    }
    for (const map of [this.#byEndpoint, this.#alsoRecorded, this.#creations, this.#reads])
      for (const [key, samples] of map) map.set(key, samples.map(move))
    for (const map of [this.#byCollection, this.#everyOne])
      for (const [id, samples] of map) map.set(id, samples.map(move))
  }
}

function redirected(sample: Exchange, target: URL): Exchange {
  const old = absoluteUrl(sample.request)
  if (!URL.canParse(old)) return sample
  const rest = old.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const headers = sample.request.headers.map((part, i, all) =>
    i % 2 === 1 && all[i - 1]!.toLowerCase() === 'host' ? target.host : part,
  )
  const prefix = target.pathname.replace(/\/$/, '')
  return { ...sample, request: { ...sample.request, target: target.origin + prefix + rest, headers } }
}
