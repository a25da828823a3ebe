import type { Exchange } from '../http/index.ts'
import type { IpGroups } from './ip-address.ts'
import { CidrSet, PRIVATE_RANGES, parseIpAddress } from './ip-address.ts'

/** Who can reach an endpoint, as on the wire. */
export type AccessType = 'PUBLIC' | 'PRIVATE' | 'PARTNER' | 'THIRD_PARTY'

/** What is looked at of an exchange; the engine's view has all of it. */
interface AccessView {
  readonly exchange: Pick<Exchange, 'clientIp' | 'serverIp' | 'direction'>
  /** name, value, …; names in lower case. */
  readonly requestHeaders: readonly string[]
  /** Those of {@link requestHeaders} in which a proxy names the client, where the caller knows them. */
  readonly forwardingHeaders?: readonly string[] | undefined
}

/** Ranges in CIDR notation; private ranges are added to the built-in ones. */
export interface AccessRanges {
  readonly privateRanges?: readonly string[]
  readonly partnerRanges?: readonly string[]
  /** Proxies whose `x-forwarded-for` is believed; private addresses always are. */
  readonly trustedProxies?: readonly string[]
}

export interface AccessVerdict {
  /** Null when no address is known: then nothing can be said. */
  readonly accessType: AccessType | null
  /** The address that decided; '' when none is known. */
  readonly address: string
}

const MAX_FORWARDED = 30
const MAX_REMEMBERED = 10_000
/** Headers in which a proxy in front names one client address; believed like `x-forwarded-for`. */
const SINGLE_ADDRESS_HEADERS = new Set([
  'x-real-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-cluster-client-ip',
  'x-client-ip',
  'client-ip',
  'x-original-forwarded-for',
])

/** True for a header, named in lower case, in which a proxy names the client. */
export function isForwardingHeader(name: string): boolean {
  return name === 'x-forwarded-for' || name === 'forwarded' || SINGLE_ADDRESS_HEADERS.has(name)
}

type Side = 'PRIVATE' | 'PARTNER' | 'OUTSIDE'

/** Compiled ranges that classify exchanges. Classes of addresses seen before are remembered (bounded). */
export class AccessClassifier {
  readonly #private: CidrSet
  readonly #partner: CidrSet
  readonly #proxies: CidrSet
  readonly #known = new Map<string, Side | null>()

  constructor(ranges: AccessRanges = {}) {
    this.#private = new CidrSet([...PRIVATE_RANGES, ...(ranges.privateRanges ?? [])])
    this.#partner = new CidrSet(ranges.partnerRanges ?? [])
    this.#proxies = new CidrSet(ranges.trustedProxies ?? [])
  }

  /** Texts among the given ranges that are not a CIDR notation. */
  get rejected(): readonly string[] {
    return [...this.#private.rejected, ...this.#partner.rejected, ...this.#proxies.rejected]
  }

  /**
   * Inbound calls (direction 1) are classed by their client, outbound ones (2) by the server called. Headers of the client
   * count only when the connection comes from a trusted or private address, and then the right-most address that is not
   * a trusted proxy is the client (RFC 7239 section 5.2): anything left of it may be forged. Without
   * a known client the server's own address decides, and with no address at all nothing is said.
   */
  classify(view: AccessView): AccessVerdict {
    const { exchange } = view
    if (exchange.direction === 2) {
      const side = this.#sideOf(exchange.serverIp)
      const accessType = side === 'OUTSIDE' ? 'THIRD_PARTY' : side
      return { accessType, address: exchange.serverIp }
    }
    // A caller nobody recorded is not evidence; a server at a public address is.
    const address = this.#clientOf(view) || exchange.serverIp
    const side = this.#sideOf(address)
    return { accessType: side === 'OUTSIDE' ? 'PUBLIC' : side, address }
  }

  #clientOf(view: AccessView): string {
    const { clientIp } = view.exchange
    if (clientIp !== '' && !this.#isProxy(clientIp)) return clientIp
    const forwarded: string[] = []
    let single = ''
    const headers = view.forwardingHeaders ?? view.requestHeaders
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const name = headers[i]!
      const value = headers[i + 1]!
      if (name === 'x-forwarded-for') {
        if (value.includes(',')) forwarded.push(...value.split(',', MAX_FORWARDED))
        else forwarded.push(value)
      } else if (name === 'forwarded') forwarded.push(...forwardedFor(value))
      else if (single === '' && SINGLE_ADDRESS_HEADERS.has(name)) single = value.trim()
    }
    return this.#rightmostClient(forwarded) ?? (this.#sideOf(single) === null ? clientIp : single)
  }

  /** Right-most address that is not a proxy; the left-most one when all are. */
  #rightmostClient(addresses: readonly string[]): string | undefined {
    if (addresses.length === 0) return undefined
    if (addresses.length === 1) {
      const only = addresses[0]!.trim()
      return this.#sideOf(only) === null ? undefined : only
    }
    const usable = addresses
      .map((address) => address.trim())
      .filter((address) => this.#sideOf(address) !== null)
    return usable.findLast((address) => !this.#isProxy(address)) ?? usable[0]
  }

  #isProxy(address: string): boolean {
    if (this.#sideOf(address) === 'PRIVATE') return true
    if (this.#proxies.isEmpty) return false
    const groups = parseIpAddress(address)
    return groups !== undefined && this.#proxies.has(groups)
  }

  /** Class of an address; null when the text is none. */
  #sideOf(address: string): Side | null {
    if (address === '') return null
    const known = this.#known.get(address)
    if (known !== undefined) return known
    const groups = parseIpAddress(address)
    const side = groups === undefined ? null : this.#sideOfGroups(groups)
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(address, side)
    return side
  }

  #sideOfGroups(groups: IpGroups): Side {
    if (this.#partner.has(groups)) return 'PARTNER'
    return this.#private.has(groups) ? 'PRIVATE' : 'OUTSIDE'
  }
}

/** `for=` parameters of a Forwarded header (RFC 7239). */
function forwardedFor(header: string): string[] {
  const addresses: string[] = []
  for (const element of header.split(',', MAX_FORWARDED)) {
    const value = /(?:^|;)\s*for\s*=\s*("[^"]{0,100}"|[^;\s]{1,100})/i.exec(element)?.[1]
    if (value !== undefined) addresses.push(value)
  }
  return addresses
}

const builtIn = new AccessClassifier()

/**
 * Access type of one exchange by the built-in private ranges, or by a classifier with the account's own ranges; null when
 * it names no address, as files recorded in a browser do.
 */
export function accessTypeOf(view: AccessView, classifier: AccessClassifier = builtIn): AccessType | null {
  return classifier.classify(view).accessType
}
