import { type BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type AddressKind, addressKind, holds, listOf } from './address-kind.ts'

/** Why a request may not go out, as a sentence; null lets it pass. */
export type ScopeVerdict = string | null

/** Endings of names that the public name system does not hand out (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|home\.arpa|corp|private|test|alt)$|^[^.]+$/

const KIND_WORDS: Readonly<Record<AddressKind, string>> = {
  public: 'public',
  private: 'private',
  loopback: 'this machine’s own',
  'link-local': 'link-local',
  metadata: 'cloud metadata',
  unroutable: 'unroutable',
}

/** How strict a scope is. */
interface ScopeOptions {
  /**
   * Whether names that are private by their form, and private addresses in URLs, may lead to private addresses although
   * the operator did not name them; true unless given.
   */
  readonly trustsPrivateNames?: boolean
  /** The setting that allows more, for the refusal; VIGIL_ALLOWED_TARGETS unless given. */
  readonly setting?: string
}

/**
 * The hosts and addresses that a run may send to. A host is in scope because a person put it there: it is a host of
 * the endpoints under test, the target that the run was started with, or named by the operator. The address that its
 * name resolves to is checked as well, at the moment of connecting (docs/decisions/0014-outgoing-requests.md).
 */
export class TargetScope {
  readonly #hosts = new Set<string>()
  readonly #own: readonly { address: string; port: number }[]
  readonly #allowedHosts = new Set<string>()
  readonly #allowedEndings: readonly string[]
  readonly #allowedRanges: BlockList
  readonly #allowedAddresses: BlockList
  readonly #trustsPrivateNames: boolean
  readonly #setting: string

  /**
   * @param hosts hosts of the endpoints under test, as the `host` of a URL spells them: `shop.example` for its default
   *   ports, `shop.example:8443` for that port
   * @param own listeners of this installation, `address:port`: never tested
   * @param allowed what the operator allows beside (setting allowedTargets): hosts (`sso.example`, `sso.example:8443`,
   *   `*.example`), addresses, and ranges of addresses that names may lead to (`10.0.0.0/8`)
   */
  constructor(
    hosts: Iterable<string>,
    own: Iterable<string> = [],
    allowed: Iterable<string> = [],
    { trustsPrivateNames = true, setting = 'VIGIL_ALLOWED_TARGETS' }: ScopeOptions = {},
  ) {
    this.#trustsPrivateNames = trustsPrivateNames
    this.#setting = setting
    for (const host of hosts) this.#hosts.add(host.toLowerCase())
    this.#own = Array.from(own, (entry) => {
      const colon = entry.lastIndexOf(':')
      return { address: withoutBrackets(entry.slice(0, colon)), port: Number(entry.slice(colon + 1)) }
    })
    const entries = Array.from(allowed, (entry) => entry.toLowerCase())
    const ranges = entries.filter((entry) => entry.includes('/'))
    const addresses = entries.filter((entry) => isIP(entry) !== 0)
    this.#allowedRanges = listOf([...ranges, ...addresses])
    this.#allowedAddresses = listOf(addresses)
    this.#allowedEndings = entries.filter((entry) => entry.startsWith('*.')).map((entry) => entry.slice(1))
    for (const entry of entries) if (!entry.includes('/')) this.#allowedHosts.add(bracketed(entry))
  }

  /** Whether a URL may be requested; checks only an address that is in the URL itself. */
  check(url: URL): ScopeVerdict {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return `the scheme ${url.protocol} is not allowed`
    const isUnderTest = this.#hosts.has(url.host) || this.#isAllowedHost(url)
    if (!isUnderTest) return 'it is not a host of the endpoints under test'
    const plain = withoutBrackets(url.hostname)
    return isIP(plain) === 0 ? null : this.checkAddress(plain, portOf(url), url.hostname)
  }

  /**
   * Whether an address may be connected to.
   * @param hostname the name that led to the address, or the address itself
   */
  checkAddress(address: string, port: number, hostname: string): ScopeVerdict {
    const kind = addressKind(address)
    if (kind === 'unroutable') return `${address} is not a server address`
    if (this.#isOwn(address, kind, port)) return 'it is a listener of Vigil itself'
    if (kind === 'public') return null
    const isNamed = holds(kind === 'metadata' ? this.#allowedAddresses : this.#allowedRanges, address)
    if (isNamed) return null
    if ((kind === 'private' || kind === 'loopback') && this.#isPrivateHost(hostname, port)) return null
    return `${address} is a ${KIND_WORDS[kind]} address; the setting ${this.#setting} can allow it`
  }

  #isAllowedHost(url: URL): boolean {
    return (
      this.#allowedHosts.has(url.host) ||
      this.#allowedHosts.has(url.hostname) ||
      this.#allowedEndings.some((ending) => url.hostname.endsWith(ending))
    )
  }

  /** A private address is not a surprise behind these: names that are private by their form, and those the operator named. */
  #isPrivateHost(hostname: string, port: number): boolean {
    const host = hostname.toLowerCase()
    return (
      (this.#trustsPrivateNames && (isIP(withoutBrackets(host)) !== 0 || PRIVATE_NAME.test(host))) ||
      this.#allowedHosts.has(host) ||
      this.#allowedHosts.has(`${host}:${port}`) ||
      this.#allowedEndings.some((ending) => host.endsWith(ending))
    )
  }

  #isOwn(address: string, kind: AddressKind, port: number): boolean {
    return this.#own.some((own) => {
      if (own.port !== port) return false
      if (own.address === 'localhost') return kind === 'loopback'
      if (isIP(own.address) !== 0 && holds(listOf([own.address]), address)) return true
      const isWildcard = own.address === '0.0.0.0' || own.address === '::'
      if (isWildcard && holds(listOf(addressesOfThisMachine()), address)) return true
      return kind === 'loopback' && addressKind(own.address) === 'loopback'
    })
  }
}

/** The port of a URL, its default included. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** A host name or address as it is connected to: IPv6 addresses without brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
}

function bracketed(entry: string): string {
  return isIP(entry) === 6 ? new URL(`http://[${entry}]/`).hostname : entry
}

function addressesOfThisMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
}
