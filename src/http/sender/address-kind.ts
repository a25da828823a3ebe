import { BlockList, isIP } from 'node:net'

/** What kind of place an address is, for the question whether a test may be sent there. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'unroutable'

/** Checked in this order: the first list that holds the address names its kind. */
const LISTS: readonly (readonly [AddressKind, BlockList])[] = [
  [
    'metadata',
    // AWS, GCP, Azure and others; AWS over IPv6; Alibaba; Oracle; the Azure host.
    listOf([
      '169.254.169.254',
      '169.254.170.2',
      'fd00:ec2::254',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
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

/** IPv6 forms that carry an IPv4 address: NAT64 (RFC 6052) and 6to4 (RFC 3056), with the group where it starts. */
const CARRIERS = [
  { list: listOf(['64:ff9b::/96']), group: 6 },
  { list: listOf(['2002::/16']), group: 1 },
] as const

/**
 * The kind of an address. IPv4 addresses inside IPv6 ones count as what they are.
 * @param address an IPv4 or IPv6 address without brackets
 */
export function addressKind(address: string): AddressKind {
  const plain = address.replace(/%.*$/s, '')
  if (isIP(plain) === 0) return 'unroutable'
  for (const [kind, list] of LISTS) if (holds(list, plain)) return kind
  for (const { list, group } of CARRIERS)
    if (isIP(plain) === 6 && holds(list, plain)) return addressKind(carriedAddress(plain, group))
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

/** Whether a list holds an address; IPv4 addresses mapped into IPv6 match the rules for IPv4. */
export function holds(list: BlockList, address: string): boolean {
  const plain = address.replace(/%.*$/s, '')
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

function carriedAddress(address: string, group: number): string {
  const groups = groupsOf(address)
  const high = groups[group] ?? 0
  const low = groups[group + 1] ?? 0
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // A URL writes the address in its shortest form, without dotted parts (RFC 5952).
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...gap, ...right].map((part) => Number.parseInt(part, 16))
}
