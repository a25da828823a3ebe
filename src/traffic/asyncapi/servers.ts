import type { References } from '../openapi/references.ts'
import { readServers } from '../openapi/servers.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, own } from '../untrusted-value.ts'
import type { AsyncApiDocument } from './document.ts'

/** Where a channel is reached. */
export interface AsyncServer {
  /** In lower case: `https`, `wss`, `kafka`. */
  readonly protocol: string
  /** With the scheme of HTTP, which WebSocket connections begin with; '' when the server names no host. */
  readonly origin: string
  readonly basePath: string
  readonly security: unknown
}

const HTTP_SCHEME: Readonly<Record<string, string>> = {
  http: 'http',
  ws: 'http',
  https: 'https',
  wss: 'https',
}

/** True for protocols whose channels are paths of an HTTP server. */
export function isWeb(protocol: string): boolean {
  return Object.hasOwn(HTTP_SCHEME, protocol)
}

/** The servers of a document by their names. */
export function readAsyncServers(
  { root, version }: AsyncApiDocument,
  references: References,
  baseUrl: string,
): ReadonlyMap<string, AsyncServer> {
  const servers = new Map<string, AsyncServer>()
  for (const [name, node] of Object.entries(asObject(own(root, 'servers')) ?? {})) {
    const server = references.resolve(node).value
    if (server !== undefined) servers.set(name, readServer(server, version, baseUrl))
  }
  return servers
}

function readServer(server: OutsideObject, version: 2 | 3, baseUrl: string): AsyncServer {
  const protocol = asText(own(server, 'protocol')).toLowerCase()
  const address =
    version === 2
      ? asText(own(server, 'url')).replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//, '')
      : `${asText(own(server, 'host'))}${asText(own(server, 'pathname'))}`
  const scheme = HTTP_SCHEME[isWeb(protocol) ? protocol : 'https']!
  const url = address === '' || address.startsWith('/') ? address : `${scheme}://${address}`
  const { origin, basePath } = readServers([{ url, variables: own(server, 'variables') }], baseUrl)
  return { protocol, origin, basePath, security: own(server, 'security') }
}

/** The servers that a channel names, else all. */
export function serversOf(
  channel: OutsideObject,
  servers: ReadonlyMap<string, AsyncServer>,
): readonly AsyncServer[] {
  const named = asList(own(channel, 'servers')).map((one) => {
    const reference = asText(own(asObject(one), '$ref'))
    return reference === '' ? asText(one) : (reference.split('/').at(-1) ?? '')
  })
  const chosen = named.flatMap((name) => servers.get(name) ?? [])
  return chosen.length > 0 ? chosen : [...servers.values()]
}
