import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import type { TargetScope } from '../../http/sender/index.ts'
import { Failure } from '../../kit/index.ts'

const MAX_TRIED = 4
const CONNECT_MS = 2000

/** A host that a browser may reach, with the address it is reached at. */
interface Pinned {
  readonly hostname: string
  readonly address: string
}

/** Names that hosts resolve to; the system's resolution unless given. */
export type ResolveName = (hostname: string) => Promise<readonly { address: string; family: number }[]>

/**
 * Rules for the resolver of a browser: each of its hosts leads to one address that the scope allows, looked up here and
 * fixed for the life of the browser (DNS rebinding, CWE-918), and everything else leads nowhere, addresses included.
 *
 * @param urls one URL for each host that is to be reachable
 * @param options.endings names with these endings (`*.example`) are resolved by the system
 * @throws Failure TARGET_OUT_OF_SCOPE for a host that the scope refuses, TARGET_UNREACHABLE for one without address, when
 *   it is the first; further ones that cannot be reached are left out
 */
export async function hostRules(
  urls: readonly URL[],
  scope: TargetScope,
  options: { readonly endings?: readonly string[]; readonly resolve?: ResolveName } = {},
): Promise<string> {
  const { endings = [], resolve = (hostname) => lookup(hostname, { all: true }) } = options
  const hosts = [...new Map(urls.toReversed().map((url) => [url.hostname, url])).values()].toReversed()
  const pins = await Promise.allSettled(hosts.map((url) => pin(url, scope, resolve)))
  const rules = pins.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [`MAP ${one.value.hostname} ${one.value.address}`]
    if (index === 0 || !(one.reason instanceof Failure)) throw one.reason
    return []
  })
  return [...rules, 'MAP * ~NOTFOUND', ...endings.map((ending) => `EXCLUDE ${ending}`)].join(',')
}

async function pin(url: URL, scope: TargetScope, resolve: ResolveName): Promise<Pinned> {
  const { hostname } = url
  const refused = (reason: string): Failure => new Failure('TARGET_OUT_OF_SCOPE', { host: hostname, reason })
  const verdict = scope.check(url)
  if (verdict !== null) throw refused(verdict)
  const plain = hostname.replace(/^\[|\]$/g, '')
  // Patterns have addresses without brackets, what they lead to has them.
  if (isIP(plain) !== 0) return { hostname: plain, address: hostname }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  let addresses: readonly { address: string; family: number }[]
  try {
    addresses = await resolve(hostname)
  } catch (error) {
    throw new Failure(
      'TARGET_UNREACHABLE',
      { host: hostname, reason: 'its name has no address' },
      { cause: error },
    )
  }
  const verdicts = addresses.map(({ address }) => scope.checkAddress(address, port, hostname))
  const allowed = addresses.filter((_address, index) => verdicts[index] === null)
  const [only] = allowed
  if (only === undefined) throw refused(verdicts[0] ?? 'its name has no address')
  const first = allowed.length === 1 ? only : ((await firstThatListens(allowed, port)) ?? only)
  return { hostname, address: first.family === 6 ? `[${first.address}]` : first.address }
}

/** A rule holds one address only, so the fallback from one to another that browsers have is made up for here. */
async function firstThatListens(
  addresses: readonly { address: string; family: number }[],
  port: number,
): Promise<{ address: string; family: number } | null> {
  for (const candidate of addresses.slice(0, MAX_TRIED))
    if (await listens(candidate.address, port)) return candidate
  return null
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS })
    const settle = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
    socket.once('timeout', () => settle(false))
  })
}
