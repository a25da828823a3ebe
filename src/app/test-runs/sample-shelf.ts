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
import { type Callers, type EndpointKey, narrowSample, SampleShelf } from '../../testing/index.ts'
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
}

interface Chosen {
  readonly row: SampleRow
  readonly sample: Exchange
  readonly rank: number
}

/** Callers of an endpoint whose samples are kept. */
const MAX_CALLERS = 12

/**
 * The samples of each endpoint that its tests start from, the newest of each caller: of the successful ones (2xx and 3xx)
 * those that carry a credential, else all; without a successful one those that failed.
 * Targets are absolute where a host is known.
 *
 * @param callers who sent the samples; absent: one sample for each endpoint
 */
export async function loadSamples(
  store: Store,
  endpoints: readonly EndpointKey[],
  callers?: Callers,
): Promise<SampleShelf> {
  const chosen: Chosen[][] = []
  const schemes = new Map<string, string>()
  for (let at = 0; at < endpoints.length; at += ENDPOINTS_A_QUERY) {
    const best = new Map<string, Map<string, Chosen>>()
    for (const row of await readRows(store, endpoints.slice(at, at + ENDPOINTS_A_QUERY))) {
      const sample = parseSampleMessage(row.message)
      noteScheme(schemes, sample)
      const id = `${row.collectionId} ${row.method} ${row.url}`
      const rank = rankOf(row, sample)
      const ofCallers = best.get(id) ?? new Map<string, Chosen>()
      best.set(id, ofCallers)
      const caller = callers?.ownerOf(sample) ?? ''
      const known = ofCallers.get(caller)
      if (known === undefined || rank > known.rank) ofCallers.set(caller, { row, sample, rank })
    }
    for (const ofCallers of best.values()) {
      const all = [...ofCallers.values()] // the newest first, as the rows
      const highest = Math.max(...all.map(({ rank }) => rank))
      chosen.push(all.filter(({ rank }) => rank === highest).slice(0, MAX_CALLERS))
    }
  }
  const shelf = new SampleShelf()
  for (const ofCallers of chosen) {
    const { collectionId, method, url } = ofCallers[0]!.row
    const samples = ofCallers.map(({ row, sample }) => withAddress(narrowSample(sample, url), row, schemes))
    shelf.put({ collectionId, method, url }, ...samples)
  }
  return shelf
}

async function readRows(store: Store, endpoints: readonly EndpointKey[]): Promise<SampleRow[]> {
  const { rows } = await store.pool.query<SampleRow>(
    `SELECT e.collection_id AS "collectionId", e.method, e.url, e.origin, c.host_name AS host, s.message, s.status
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
