import {
  absoluteUrl,
  type Exchange,
  headerValue,
  isAbsoluteTarget,
  originForm,
  parseSampleMessage,
  requestAuthority,
} from '../../http/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type Callers,
  type EndpointKey,
  narrowSample,
  type SampleInterest,
  SampleShelf,
} from '../../testing/index.ts'
import { namesIn } from './run-credentials.ts'

/** Endpoints whose samples one query reads. */
const ENDPOINTS_A_QUERY = 500

interface SampleRow {
  collectionId: number
  method: string
  url: string
  origin: string
  host: string | null
  message: string
  status: number
  observedAt: number
}

interface Chosen {
  readonly row: SampleRow
  readonly sample: Exchange
  readonly rank: number
  /** Whether what it is about was deleted later. */
  readonly isGone: boolean
}

/** Callers of an endpoint whose samples are kept. */
const MAX_CALLERS = 12

/**
 * The samples of each endpoint that its tests start from, the newest of each caller: of the successful ones (2xx and 3xx)
 * those that carry a credential, else all; without a successful one those that failed. Samples whose objects were recorded
 * being deleted since come last.
 * Targets are absolute where a host is known.
 *
 * @param callers who sent the samples; absent: one sample for each endpoint
 * @param isOfInterest which of the others are kept beside them
 */
export async function loadSamples(
  store: Store,
  endpoints: readonly EndpointKey[],
  callers?: Callers,
  isOfInterest?: SampleInterest,
): Promise<SampleShelf> {
  const chosen: Chosen[][] = []
  const others = new Others(isOfInterest)
  const creations = new Creations()
  const reads = new Reads()
  const schemes = new Map<string, string>()
  const deletions = await readDeletions(store, endpoints)
  for (let at = 0; at < endpoints.length; at += ENDPOINTS_A_QUERY) {
    const best = new Map<string, Map<string, Chosen>>()
    const current = new Current()
    for (const row of await readRows(store, endpoints.slice(at, at + ENDPOINTS_A_QUERY))) {
      const sample = parseSampleMessage(row.message)
      noteScheme(schemes, sample)
      const id = idOf(row)
      creations.note({ row, sample })
      reads.note({ row, sample })
      const found: Chosen = { row, sample, rank: rankOf(row, sample), isGone: isGone(row, sample, deletions) }
      const ofCallers = best.get(id) ?? new Map<string, Chosen>()
      best.set(id, ofCallers)
      const caller = callers?.ownerOf(sample) ?? ''
      const isCurrent = current.has(row, sample, caller)
      const known = ofCallers.get(caller)
      if (known === undefined || isBetter(found, known)) {
        ofCallers.set(caller, found)
        others.note(known)
      } else if (isCurrent) others.note(found)
    }
    for (const ofCallers of best.values()) {
      const all = [...ofCallers.values()] // the newest first, as the rows
      const highest = Math.max(...all.map(({ rank }) => rank))
      const usable = all.filter(({ rank }) => rank === highest)
      const first = usable.toSorted((a, b) => Number(a.isGone) - Number(b.isGone)).slice(0, MAX_CALLERS)
      chosen.push(first)
      for (const one of all) if (!first.includes(one)) others.note(one)
    }
  }
  const shelf = new SampleShelf()
  for (const ofCallers of chosen) {
    const { collectionId, method, url } = ofCallers[0]!.row
    const endpoint = { collectionId, method, url }
    const ready = ({ row, sample }: Pick<Chosen, 'row' | 'sample'>): Exchange =>
      withAddress(narrowSample(sample, url), row, schemes)
    shelf.put(endpoint, ...ofCallers.map(ready))
    shelf.putAlsoRecorded(endpoint, others.of(endpoint).map(ready))
    shelf.putCreations(endpoint, creations.of(endpoint).map(ready))
    shelf.putReads(endpoint, reads.of(endpoint).map(ready))
  }
  return shelf
}

/** How much older than the newest sample of an endpoint one may be that still tells what it answers. */
const CURRENT_SECONDS = 7 * 86_400

/** Which samples still tell what an endpoint answers; asked in their order, the newest first. */
class Current {
  readonly #newest = new Map<string, number>()
  readonly #asked = new Set<string>()

  /** Not of what the same caller asked again later, nor of what is long ago. */
  has(row: SampleRow, { request }: Exchange, caller: string): boolean {
    const id = idOf(row)
    const newest = this.#newest.get(id) ?? row.observedAt
    this.#newest.set(id, newest)
    const asked = `${id} ${caller} ${request.target} ${request.body}`
    if (this.#asked.has(asked)) return false
    this.#asked.add(asked)
    return row.observedAt > newest - CURRENT_SECONDS
  }
}

/** Creations of an endpoint that are kept, and the longest of them in characters. */
const MAX_CREATIONS = 12
const MAX_CREATION = 16_384

/** Accepted POST requests: what one of them made may be the object of another endpoint's sample. */
class Creations {
  readonly #byEndpoint = new Map<string, Pick<Chosen, 'row' | 'sample'>[]>()

  note(found: Pick<Chosen, 'row' | 'sample'>): void {
    const { row } = found
    if (row.method !== 'POST' || row.status < 200 || row.status > 299) return
    const known = this.#byEndpoint.get(idOf(row)) ?? []
    this.#byEndpoint.set(idOf(row), known)
    if (known.length < MAX_CREATIONS && row.message.length <= MAX_CREATION) known.push(found)
  }

  of(endpoint: EndpointKey): readonly Pick<Chosen, 'row' | 'sample'>[] {
    return this.#byEndpoint.get(idOf(endpoint)) ?? []
  }
}

/** Reads of an endpoint that are kept. */
const MAX_READS = 12

/**
 * Answered reads of paths without parameters, without their answers: one caller may have asked for a whole list and for a
 * part of it.
 */
class Reads {
  readonly #byEndpoint = new Map<string, Pick<Chosen, 'row' | 'sample'>[]>()

  note({ row, sample }: Pick<Chosen, 'row' | 'sample'>): void {
    if (row.method !== 'GET' || row.status !== 200) return
    if (originForm(sample.request.target).replace(/[?#].*$/s, '') !== row.url) return
    const known = this.#byEndpoint.get(idOf(row)) ?? []
    this.#byEndpoint.set(idOf(row), known)
    const read = { ...sample, response: { ...sample.response, body: '' } }
    if (known.length < MAX_READS) known.push({ row, sample: read })
  }

  of(endpoint: EndpointKey): readonly Pick<Chosen, 'row' | 'sample'>[] {
    return this.#byEndpoint.get(idOf(endpoint)) ?? []
  }
}

/** What was recorded beside the chosen samples and is of interest. */
class Others {
  readonly #isOfInterest: SampleInterest
  readonly #byEndpoint = new Map<string, Pick<Chosen, 'row' | 'sample'>[]>()

  constructor(isOfInterest: SampleInterest = () => false) {
    this.#isOfInterest = isOfInterest
  }

  note(found: Chosen | undefined): void {
    if (found === undefined || !this.#isOfInterest(found.row, found.sample)) return
    const { row, sample } = found
    const known = this.#byEndpoint.get(idOf(row)) ?? []
    this.#byEndpoint.set(idOf(row), known)
    known.push({ row, sample })
  }

  of(endpoint: EndpointKey): readonly Pick<Chosen, 'row' | 'sample'>[] {
    return this.#byEndpoint.get(idOf(endpoint)) ?? []
  }
}

function idOf({ collectionId, method, url }: EndpointKey): string {
  return `${collectionId} ${method} ${url}`
}

async function readRows(store: Store, endpoints: readonly EndpointKey[]): Promise<SampleRow[]> {
  const { rows } = await store.pool.query<SampleRow>(
    `SELECT e.collection_id AS "collectionId", e.method, e.url, e.origin, c.host_name AS host, s.message, s.status,
       s.observed_at::float8 AS "observedAt"
     FROM unnest($1::integer[], $2::text[], $3::text[]) AS k (collection_id, method, url)
     JOIN endpoints e ON e.collection_id = k.collection_id AND e.method = k.method AND e.url = k.url
     JOIN collections c ON c.id = e.collection_id
     JOIN endpoints m ON m.root_id = e.root_id
     JOIN samples s ON s.endpoint_id = m.id
     WHERE e.is_listed
     ORDER BY e.id, s.observed_at DESC, s.id DESC`,
    [
      endpoints.map((key) => key.collectionId),
      endpoints.map((key) => key.method),
      endpoints.map((key) => key.url),
    ],
  )
  return rows
}

/** When addresses were last deleted, by collection and address. */
type Deletions = ReadonlyMap<string, number>

async function readDeletions(store: Store, endpoints: readonly EndpointKey[]): Promise<Deletions> {
  const { rows } = await store.pool.query<{ collectionId: number; message: string; observedAt: number }>(
    `SELECT e.collection_id AS "collectionId", s.message, s.observed_at::float8 AS "observedAt"
     FROM endpoints e JOIN samples s ON s.endpoint_id = e.id
     WHERE e.collection_id = ANY($1::integer[]) AND e.method = 'DELETE' AND s.status BETWEEN 200 AND 299`,
    [[...new Set(endpoints.map(({ collectionId }) => collectionId))]],
  )
  const deletions = new Map<string, number>()
  for (const { collectionId, message, observedAt } of rows) {
    const id = `${collectionId} ${addressOf(parseSampleMessage(message))}`
    deletions.set(id, Math.max(observedAt, deletions.get(id) ?? 0))
  }
  return deletions
}

/** Whether the address of a sample, or one above it, was deleted afterwards. */
function isGone({ collectionId, observedAt }: SampleRow, sample: Exchange, deletions: Deletions): boolean {
  if (deletions.size === 0 || sample.request.method === 'DELETE') return false
  const segments = addressOf(sample).split('/')
  return segments.some((_, at) => {
    const deletedAt = deletions.get(`${collectionId} ${segments.slice(0, at + 1).join('/')}`)
    return deletedAt !== undefined && deletedAt >= observedAt
  })
}

/** Host and path of a request. */
function addressOf({ request }: Exchange): string {
  const path = originForm(request.target)
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
  return requestAuthority(request).toLowerCase() + path
}

/** Whether a sample comes before another of the same caller that is newer. */
function isBetter(one: Chosen, other: Chosen): boolean {
  return one.rank > other.rank || (one.rank === other.rank && other.isGone && !one.isGone)
}

function rankOf({ status }: SampleRow, sample: Exchange): number {
  if (status < 200 || status >= 400) return 0
  return namesIn(sample).length > 0 ? 2 : 1
}

/** The scheme that a message shows for its host: others of the same host may not show any. */
function noteScheme(schemes: Map<string, string>, { request }: Exchange): void {
  const authority = requestAuthority(request).toLowerCase()
  if (authority === '' || schemes.has(authority)) return
  const scheme = isAbsoluteTarget(request.target)
    ? request.target.slice(0, request.target.indexOf('://')).toLowerCase()
    : (headerValue(request.headers, 'x-forwarded-proto') ?? headerValue(request.headers, ':scheme'))
        ?.trim()
        .toLowerCase()
  if (scheme === 'http' || scheme === 'https') schemes.set(authority, scheme)
}

function withAddress(sample: Exchange, row: SampleRow, schemes: ReadonlyMap<string, string>): Exchange {
  const { request } = sample
  if (isAbsoluteTarget(request.target)) return sample
  const authority = requestAuthority(request)
  if (authority === '')
    return withTarget(sample, row.origin === '' ? namedOrigin(row.host, schemes) : row.origin)
  const scheme = schemes.get(authority.toLowerCase()) ?? likelyScheme(authority)
  if (scheme !== null) return withTarget(sample, `${scheme}://${authority}`)
  return { ...sample, request: { ...request, target: absoluteUrl(request) } }
}

function namedOrigin(host: string | null, schemes: ReadonlyMap<string, string>): string | null {
  if (host === null) return null
  const request = { method: 'GET', target: '/', version: '', headers: ['host', host], body: '' }
  const scheme = schemes.get(host.toLowerCase()) ?? likelyScheme(host)
  return scheme === null ? absoluteUrl(request).slice(0, -1) : `${scheme}://${host}`
}

/** What the address itself tells: the port of a scheme (RFC 9110 section 4.2), and this machine, where TLS is rare. */
function likelyScheme(authority: string): string | null {
  if (/:443$/.test(authority)) return 'https'
  return /:80$|^localhost(?::\d+)?$/i.test(authority) ? 'http' : null
}

function withTarget(sample: Exchange, origin: string | null): Exchange {
  if (origin === null) return sample
  const path = originForm(sample.request.target)
  const target = `${origin}${path.startsWith('/') ? '' : '/'}${path}`
  return { ...sample, request: { ...sample.request, target } }
}
