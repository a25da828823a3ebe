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
import { type EndpointKey, narrowSample, SampleShelf } from '../../testing/index.ts'
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

/**
 * The sample of each endpoint that its tests start from: of the successful ones (2xx and 3xx) the newest that carries a
 * credential, else the newest; without a successful one the newest of all. Targets are absolute where a host is known.
 */
export async function loadSamples(store: Store, endpoints: readonly EndpointKey[]): Promise<SampleShelf> {
  const chosen: Chosen[] = []
  const schemes = new Map<string, string>()
  for (let at = 0; at < endpoints.length; at += ENDPOINTS_A_QUERY) {
    const best = new Map<string, Chosen>()
    for (const row of await readRows(store, endpoints.slice(at, at + ENDPOINTS_A_QUERY))) {
      const sample = parseSampleMessage(row.message)
      noteScheme(schemes, sample)
      const id = `${row.collectionId} ${row.method} ${row.url}`
      const rank = rankOf(row, sample)
      const known = best.get(id)
      if (known === undefined || rank > known.rank) best.set(id, { row, sample, rank })
    }
    chosen.push(...best.values())
  }
  const shelf = new SampleShelf()
  for (const { row, sample } of chosen) {
    const { collectionId, method, url } = row
    shelf.put({ collectionId, method, url }, withAddress(narrowSample(sample, url), row, schemes))
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
