import { splitPath } from '../../path-templates/index.ts'
import { type DescribedPath, describedPath, type PathSegment } from './path-of.ts'
import { bodySchema, type FactRow, type JsonSchema, leafSchema } from './schema-of.ts'

/** An endpoint with everything that goes into its description. */
export interface DocumentedEndpoint {
  id: number
  method: string
  url: string
  origin: string
  isTemplate: boolean
  callCount: number
  responseCodes: number[]
  authTypes: string[]
  facts: FactRow[]
}

/** How to write it. */
interface PathItemOptions {
  hasHeaders: boolean
  parseTemplate: (template: string) => { segments: readonly PathSegment[] }
}

/** Operations seen less often are marked. */
const RARE_BELOW = 20
/** Methods that a path item can describe (OpenAPI 3.1, 4.8.9). */
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'])
/** Headers that every message has, and those that security describes. */
const PLAIN_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'host',
  'if-none-match',
  'origin',
  'pragma',
  'referer',
  'user-agent',
])

const SCHEMES: Record<string, { name: string; scheme: Record<string, string> }> = {
  BASIC: { name: 'basic', scheme: { type: 'http', scheme: 'basic' } },
  BEARER: { name: 'bearer', scheme: { type: 'http', scheme: 'bearer' } },
  JWT: { name: 'jwt', scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  API_KEY: { name: 'apiKey', scheme: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  SESSION_TOKEN: { name: 'session', scheme: { type: 'apiKey', in: 'cookie', name: 'session' } },
  AUTHORIZATION_HEADER: {
    name: 'authorization',
    scheme: { type: 'apiKey', in: 'header', name: 'authorization' },
  },
  MTLS: { name: 'clientCertificate', scheme: { type: 'mutualTLS' } },
}

/** Paths and security schemes of a document, in a stable order. */
export function pathItemsOf(
  endpoints: readonly DocumentedEndpoint[],
  options: PathItemOptions,
): { paths: Record<string, Record<string, unknown>>; securitySchemes: Record<string, unknown> } {
  const paths: Record<string, Record<string, unknown>> = {}
  const used = new Map<string, Record<string, string>>()
  for (const endpoint of endpoints) {
    if (!METHODS.has(endpoint.method)) continue
    const url = endpoint.url.slice(endpoint.origin.length) || '/'
    const { segments } = endpoint.isTemplate
      ? options.parseTemplate(url)
      : { segments: splitPath(url).map((value): PathSegment => ({ kind: 'literal', value })) }
    const path = describedPath(segments, endpoint.facts)
    paths[path.text] ??= endpoint.origin === '' ? {} : { servers: [{ url: endpoint.origin }] }
    paths[path.text]![endpoint.method.toLowerCase()] = operationOf(endpoint, path, options, used)
  }
  const schemes = [...used.entries()].sort((a, b) => (a[0] < b[0] ? -1 : 1))
  return { paths, securitySchemes: Object.fromEntries(schemes) }
}

function operationOf(
  endpoint: DocumentedEndpoint,
  path: DescribedPath,
  options: PathItemOptions,
  used: Map<string, Record<string, string>>,
): Record<string, unknown> {
  const body = endpoint.facts.filter((fact) => fact.kind === 'REQUEST_BODY')
  return {
    parameters: [
      ...path.parameters,
      ...parameters(endpoint, 'QUERY', 'query'),
      ...(options.hasHeaders ? parameters(endpoint, 'REQUEST_HEADER', 'header') : []),
    ],
    ...(body.length === 0
      ? {}
      : { requestBody: { content: contentOf(body, mediaTypeOf(endpoint, 'REQUEST_HEADER', -1)) } }),
    responses: responsesOf(endpoint),
    ...securityOf(endpoint, used),
    ...(endpoint.callCount < RARE_BELOW ? { 'x-vigil-rare': true } : {}),
  }
}

function byName(facts: readonly FactRow[]): Map<string, FactRow[]> {
  const groups = new Map<string, FactRow[]>()
  for (const fact of facts) groups.set(fact.name, [...(groups.get(fact.name) ?? []), fact])
  return groups
}

function parameters(endpoint: DocumentedEndpoint, kind: FactRow['kind'], place: string): unknown[] {
  const facts = endpoint.facts.filter(
    (fact) =>
      fact.kind === kind &&
      !(place === 'header' && (PLAIN_HEADERS.has(fact.name) || fact.name.startsWith(':'))),
  )
  return [...byName(facts).entries()].map(([name, rows]) => {
    const seen = rows.reduce((total, row) => total + row.count, 0)
    const isRequired = endpoint.callCount >= RARE_BELOW && seen >= endpoint.callCount
    return { name, in: place, ...(isRequired ? { required: true } : {}), schema: leafSchema(rows) }
  })
}

function mediaTypeOf(endpoint: DocumentedEndpoint, kind: FactRow['kind'], code: number): string {
  const fact = endpoint.facts.find(
    (row) => row.kind === kind && row.responseCode === code && row.name === 'content-type',
  )
  return fact?.detail?.examples?.[0]?.split(';')[0]?.trim() || 'application/json'
}

function contentOf(facts: readonly FactRow[], mediaType: string): Record<string, { schema: JsonSchema }> {
  return { [mediaType]: { schema: bodySchema(facts) } }
}

function responsesOf(endpoint: DocumentedEndpoint): Record<string, unknown> {
  const codes = [...endpoint.responseCodes].sort((a, b) => a - b)
  if (codes.length === 0) return { default: { description: 'Not observed' } }
  return Object.fromEntries(
    codes.map((code) => {
      const body = endpoint.facts.filter(
        (fact) => fact.kind === 'RESPONSE_BODY' && fact.responseCode === code,
      )
      const content =
        body.length === 0 ? {} : { content: contentOf(body, mediaTypeOf(endpoint, 'RESPONSE_HEADER', code)) }
      return [String(code), { description: `Observed with status ${code}`, ...content }]
    }),
  )
}

function securityOf(
  endpoint: DocumentedEndpoint,
  used: Map<string, Record<string, string>>,
): { security?: Record<string, string[]>[] } {
  const schemes = endpoint.authTypes.map((type) => SCHEMES[type]).filter((scheme) => scheme !== undefined)
  if (schemes.length === 0) return endpoint.authTypes.includes('UNAUTHENTICATED') ? { security: [] } : {}
  for (const { name, scheme } of schemes) used.set(name, scheme)
  return { security: schemes.map(({ name }) => ({ [name]: [] })) }
}
