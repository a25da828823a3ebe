import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { TargetScope } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'

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
 * @throws Failure TARGET_OUT_OF_SCOPE for a host that the scope refuses, TARGET_UNREACHABLE for one without address, when
 *   it is the first; further ones that cannot be reached are left out
 */
export async function hostRules(
  urls: readonly URL[],
  scope: TargetScope,
  resolve: ResolveName = (hostname) => lookup(hostname, { all: true }),
): Promise<string> {
  const pinned = new Map<string, Pinned>()
  for (const [index, url] of urls.entries()) {
    if (pinned.has(url.hostname)) continue
    try {
      pinned.set(url.hostname, await pin(url, scope, resolve))
    } catch (error) {
      if (index === 0 || !(error instanceof Failure)) throw error
    }
  }
  return [
    ...Array.from(pinned.values(), ({ hostname, address }) => `MAP ${hostname} ${address}`),
    'MAP * ~NOTFOUND',
  ].join(',')
}

async function pin(url: URL, scope: TargetScope, resolve: ResolveName): Promise<Pinned> {
  const { hostname } = url
  const refused = (reason: string): Failure => new Failure('TARGET_OUT_OF_SCOPE', { host: hostname, reason })
  const verdict = scope.check(url)
  if (verdict !== null) throw refused(verdict)
  const plain = hostname.replace(/^\[|\]$/g, '')
  if (isIP(plain) !== 0) return { hostname, address: hostname }
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
  // A browser falls back from one address to another; a rule holds one only, and IPv4 is there more often.
  const first = allowed.find(({ family }) => family === 4) ?? allowed[0]
  if (first === undefined) throw refused(verdicts[0] ?? 'its name has no address')
  return { hostname, address: first.family === 6 ? `[${first.address}]` : first.address }
}
