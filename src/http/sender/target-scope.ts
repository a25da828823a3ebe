import { BlockList, isIP } from 'node:net'

/** Why a request may not go out, as a sentence; null lets it pass. */
export type ScopeVerdict = string | null

/** Addresses that no target has: cloud metadata and other link-local ones (RFC 3927), broadcast, unspecified. */
const NEVER = new BlockList()
NEVER.addSubnet('169.254.0.0', 16, 'ipv4')
NEVER.addSubnet('0.0.0.0', 8, 'ipv4')
NEVER.addAddress('255.255.255.255', 'ipv4')
NEVER.addSubnet('224.0.0.0', 4, 'ipv4')
NEVER.addSubnet('fe80::', 10, 'ipv6')
NEVER.addSubnet('ff00::', 8, 'ipv6')
NEVER.addAddress('::', 'ipv6')
NEVER.addAddress('fd00:ec2::254', 'ipv6')

/**
 * The hosts that a run may send to. A host is in scope because a person put it there: it is a host of the endpoints
 * under test, or the target that the run was started with. The address that its name resolves to is checked as well,
 * and is the one that is connected to, so that a name cannot lead elsewhere between check and connection.
 */
export class TargetScope {
  readonly #hosts: ReadonlySet<string>
  readonly #own: ReadonlySet<string>

  /**
   * @param hosts `host` or `host:port`, as URLs spell them; without a port all ports of the host
   * @param own listeners of this installation, `address:port`: never tested
   */
  constructor(hosts: Iterable<string>, own: Iterable<string> = []) {
    this.#hosts = new Set(Array.from(hosts, (host) => host.toLowerCase()))
    this.#own = new Set(own)
  }

  /** Whether a URL may be asked for. */
  check(url: URL): ScopeVerdict {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return `the scheme ${url.protocol} is not allowed`
    if (!this.#hosts.has(url.host.toLowerCase()) && !this.#hosts.has(url.hostname.toLowerCase()))
      return `${url.host} is no host of the endpoints under test`
    return null
  }

  /** Whether an address may be connected to, after a name was resolved to it. */
  checkAddress(address: string, port: number): ScopeVerdict {
    const kind = isIP(address)
    if (kind === 0) return `${address} is no address`
    const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
    if (NEVER.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')) return `${address} is never a target`
    if (this.#own.has(`${plain}:${port}`)) return 'this is the listener of Vigil itself'
    return null
  }
}
