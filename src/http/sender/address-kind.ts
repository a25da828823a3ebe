import { BlockList, isIP } from 'node:net'

/** What kind of place an address is, for the question whether a test may be sent there. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'unroutable'

/** From the strictest to the mildest: of several kinds that fit an address, the first one counts. */
const LISTS: readonly (readonly [AddressKind, BlockList])[] = [
  [
    'metadata',
    listOf([
      '169.254.169.254', // AWS, GCP, Azure, Oracle, OpenStack and others
      '169.254.170.2', // credentials of AWS ECS tasks
      '169.254.170.23', // credentials of AWS EKS pods
      'fd00:ec2::/32', // services of AWS on the instance: ::254 metadata, ::23 credentials of EKS pods
      'fd20:ce::254', // GCP
      '100.100.100.200', // Alibaba
      '192.0.0.192', // Oracle
      'fd00:c1::a9fe:a9fe', // Oracle
      '168.63.129.16', // host of an Azure machine
      'fe80::a9fe:a9fe', // OpenStack
      '169.254.42.42', // Scaleway
      'fd00:42::42', // Scaleway
    ]),
  ],
  // RFC 1122 section 3.2.1.3. The unspecified address leads to this machine when it is connected to.
  ['loopback', listOf(['127.0.0.0/8', '0.0.0.0/8', '::1', '::'])],
  ['link-local', listOf(['169.254.0.0/16', 'fe80::/10'])],
  ['unroutable', listOf(['224.0.0.0/4', '255.255.255.255', 'ff00::/8'])],
  [
    'private',
    // RFC 1918, RFC 6598 (shared address space), RFC 2544 (test networks), RFC 6890, RFC 4193 and the old site-local.
    listOf([
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '100.64.0.0/10',
      '198.18.0.0/15',
      '192.0.0.0/24',
      '240.0.0.0/4',
      'fc00::/7',
      'fec0::/10',
    ]),
  ],
]

/** Where IPv6 addresses of a range carry IPv4 addresses. */
interface Carrier {
  readonly list: BlockList
  /** Positions of the four bytes; one row for each address. */
  readonly places: readonly (readonly number[])[]
  /** Bits that are turned in all bytes of the row at the same position. */
  readonly masks?: readonly number[]
}

const LAST_FOUR = [12, 13, 14, 15] as const

const CARRIERS: readonly Carrier[] = [
  {
    list: listOf([
      '::ffff:0:0/96', // IPv4-mapped, RFC 4291 section 2.5.5.2
      '::/96', // IPv4-compatible, RFC 4291 section 2.5.5.1
      '::ffff:0:0:0/96', // IPv4-translated, RFC 2765 section 2.1
      '64:ff9b::/96', // NAT64, RFC 6052 section 2.1
    ]),
    places: [LAST_FOUR],
  },
  {
    // NAT64 for local use (RFC 8215). How long the prefix is, only its network knows (RFC 6052 section 2.2).
    list: listOf(['64:ff9b:1::/48']),
    places: [LAST_FOUR, [9, 10, 11, 12], [7, 9, 10, 11], [6, 7, 9, 10]],
  },
  { list: listOf(['2002::/16']), places: [[2, 3, 4, 5]] }, // 6to4, RFC 3056
  // Teredo, RFC 4380 section 4: the server, and the client with all bits turned.
  { list: listOf(['2001::/32']), places: [[4, 5, 6, 7], LAST_FOUR], masks: [0, 0xff] },
]

/**
 * The kind of an address. An IPv6 address that carries an IPv4 address is judged by the address inside as well, and
 * the stricter kind counts.
 * @param address an IPv4 or IPv6 address without brackets
 */
export function addressKind(address: string): AddressKind {
  const plain = withoutZone(address)
  if (isIP(plain) === 0) return 'unroutable'
  const carried = carriedAddresses(plain)
  const judged = [plain, ...carried]
  for (const [kind, list] of LISTS) if (judged.some((one) => isOn(list, one))) return kind
  return 'public'
}

/** Addresses (`10.0.0.1`) and ranges (`10.0.0.0/8`) as a list; both families. */
export function listOf(entries: Iterable<string>): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Whether a list holds an address, or every IPv4 address that it carries. */
export function holds(list: BlockList, address: string): boolean {
  const plain = withoutZone(address)
  if (isOn(list, plain)) return true
  const carried = carriedAddresses(plain)
  return carried.length > 0 && carried.every((inner) => isOn(list, inner))
}

function isOn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** A zone (RFC 4007) names an interface of this machine; the address is the same without it. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/s, '')
}

/**
 * The IPv4 addresses that an IPv6 address carries; none for most. Where an address may be read in several ways, those
 * that give 0.0.0.0/8 are left out beside others: they read what is filled with zeros.
 */
function carriedAddresses(address: string): string[] {
  if (isIP(address) !== 6) return []
  const bytes = bytesOf(address)
  const carrier = CARRIERS.find(({ list }) => isOn(list, address)) ?? null
  const places = carrier?.places ?? (isIsatap(bytes) ? [LAST_FOUR] : [])
  const read = places.map((place, row) => place.map((at) => (bytes[at] ?? 0) ^ (carrier?.masks?.[row] ?? 0)))
  const filled = read.filter(([first]) => first !== 0)
  return (filled.length > 0 ? filled : read).map((four) => four.join('.'))
}

/** ISATAP (RFC 5214 section 6.1): `0000:5efe` or `0200:5efe` before the IPv4 address, behind any prefix. */
function isIsatap(bytes: readonly number[]): boolean {
  return (bytes[8]! & ~0b11) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
}

/** The sixteen bytes of an IPv6 address. */
function bytesOf(address: string): number[] {
  // A URL writes the address in its shortest form, without dotted parts (RFC 5952).
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...gap, ...right].flatMap((part) => {
    const group = Number.parseInt(part, 16)
    return [group >> 8, group & 255]
  })
}
