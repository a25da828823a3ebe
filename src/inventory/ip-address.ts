import { isIPv4, isIPv6 } from 'node:net'

/** An address as eight 16-bit groups; IPv4 uses the mapped range ::ffff:0:0/96 (RFC 4291 section 2.5.5.2). */
export type IpGroups = Uint16Array

/**
 * Reads an address as headers and connections write it: plain, with a port, in brackets, in quotes, with a zone, IPv4 in
 * its mapped form. Undefined when it is none.
 */
export function parseIpAddress(text: string): IpGroups | undefined {
  let address = text.trim()
  if (address.startsWith('"') && address.endsWith('"')) address = address.slice(1, -1)
  if (address.startsWith('[')) {
    const end = address.indexOf(']')
    if (end < 0) return undefined
    address = address.slice(1, end)
  } else if (
    address.includes('.') &&
    address.indexOf(':') === address.lastIndexOf(':') &&
    address.includes(':')
  ) {
    address = address.slice(0, address.indexOf(':'))
  }
  const zone = address.indexOf('%')
  if (zone > 0) address = address.slice(0, zone)
  if (isIPv4(address)) return groupsOfV4(address)
  return isIPv6(address) ? groupsOfV6(address) : undefined
}

function groupsOfV4(address: string): IpGroups {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return Uint16Array.of(0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d)
}

function groupsOfV6(address: string): IpGroups {
  const lastColon = address.lastIndexOf(':')
  const tail = address.slice(lastColon + 1)
  const text = tail.includes('.')
    ? `${address.slice(0, lastColon + 1)}${[...groupsOfV4(tail).subarray(6)].map((group) => group.toString(16)).join(':')}`
    : address
  const [left = '', right] = text.split('::', 2)
  const head = left === '' ? [] : left.split(':')
  const rest = right === undefined || right === '' ? [] : right.split(':')
  const groups = new Uint16Array(8)
  head.forEach((group, at) => {
    groups[at] = Number.parseInt(group, 16)
  })
  rest.forEach((group, at) => {
    groups[8 - rest.length + at] = Number.parseInt(group, 16)
  })
  return groups
}

interface Range {
  readonly groups: IpGroups
  readonly bits: number
}

/** A set of address ranges in CIDR notation, IPv4 and IPv6 mixed; a bare address is a range of one. */
export class CidrSet {
  readonly #ranges: readonly Range[]
  /** Texts that are not a range; the caller tells anyone who wrote them. */
  readonly rejected: readonly string[]

  constructor(ranges: readonly string[]) {
    const parsed = ranges.map((text) => ({ text, range: parseRange(text) }))
    this.#ranges = parsed.flatMap(({ range }) => range ?? [])
    this.rejected = parsed.filter(({ range }) => range === undefined).map(({ text }) => text)
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0
  }

  has(address: IpGroups): boolean {
    return this.#ranges.some((range) => isWithin(address, range))
  }
}

function parseRange(text: string): Range | undefined {
  const [address = '', size] = text.trim().split('/', 3)
  const groups = parseIpAddress(address)
  if (groups === undefined || (size !== undefined && !/^\d{1,3}$/.test(size))) return undefined
  const isV4 = isIPv4(address)
  const bits = size === undefined ? 128 : Number(size) + (isV4 ? 96 : 0)
  return bits > 128 ? undefined : { groups, bits }
}

function isWithin(address: IpGroups, range: Range): boolean {
  let left = range.bits
  for (let i = 0; i < 8 && left > 0; i++, left -= 16) {
    const mask = left >= 16 ? 0xffff : (0xffff << (16 - left)) & 0xffff
    if ((address[i]! & mask) !== (range.groups[i]! & mask)) return false
  }
  return true
}

/** Private, shared, loopback, link-local and unique local ranges (RFC 1918, 6598, 1122, 3927, 4193, 4291). */
export const PRIVATE_RANGES: readonly string[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '0.0.0.0/8',
  '::1/128',
  '::/128',
  'fc00::/7',
  'fe80::/10',
]
