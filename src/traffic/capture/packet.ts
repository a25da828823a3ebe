import type { CapturedPacket } from './packet-file.ts'

/** One TCP segment of a captured packet; addresses are parts of the file. */
export interface TcpSegment {
  /** Address and port of the sender, and of the receiver, as bytes in one text each. */
  readonly source: string
  readonly destination: string
  readonly sequence: number
  readonly acknowledged: number
  readonly isSyn: boolean
  readonly isFin: boolean
  readonly isReset: boolean
  /** Payload, as far as it was captured. */
  readonly start: number
  readonly end: number
  /** Number of the virtual network that the packet was mirrored from; 0 when it was captured as it is. */
  readonly network: number
}

/** What a packet is when it is not a TCP segment. */
type OtherPacket = 'fragment' | 'unknown link' | 'other'

const ETHER = { ipv4: 0x0800, ipv6: 0x86dd, bridged: 0x6558 } as const
const VLAN_TAGS: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100])
const PROTOCOL = { tcp: 6, udp: 17 } as const
/** Extension headers of IPv6 that are passed over: hop by hop, routing, authentication, destination options. */
const PASSED_OVER: ReadonlySet<number> = new Set([0, 43, 51, 60])
const FRAGMENT = 44
const VXLAN_PORTS: ReadonlySet<number> = new Set([4789, 8472])
const GENEVE_PORT = 6081
/** Headers within each other: VLAN tags, extension headers, tunnels. */
const MAX_HEADERS = 16

/** Where a decoder stands: in the file, within one packet, within one tunnel. */
interface Position {
  readonly bytes: Buffer
  at: number
  end: number
  network: number
  headersLeft: number
}

/** The TCP segment of a packet, also one that was mirrored through VXLAN or Geneve. */
export function readSegment(bytes: Buffer, packet: CapturedPacket): TcpSegment | OtherPacket {
  const { start, end, linkType } = packet
  const position: Position = { bytes, at: start, end, network: 0, headersLeft: MAX_HEADERS }
  const type = readLink(position, linkType)
  return type === undefined ? 'unknown link' : readNetwork(position, type)
}

function left({ at, end }: Position): number {
  return end - at
}

/** Ether type of what follows the link header; undefined for a kind of link that is not known. */
function readLink(position: Position, linkType: number): number | undefined {
  const { bytes, at } = position
  switch (linkType) {
    case 1:
      return readEther(position, 12)
    case 113:
      return readEther(position, 14)
    case 276:
      position.at += 20
      return left(position) < 0 ? 0 : bytes.readUInt16BE(at)
    case 0:
    case 108:
      // A family number in the byte order of the machine: the version of IP tells more reliably.
      position.at += 4
      return ipVersion(position)
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return ipVersion(position)
    default:
      return undefined
  }
}

/** Ether type behind a header that ends with one, without VLAN tags. */
function readEther(position: Position, offset: number): number {
  const { bytes } = position
  position.at += offset
  while (left(position) >= 2) {
    const type = bytes.readUInt16BE(position.at)
    position.at += 2
    if (!VLAN_TAGS.has(type) || position.headersLeft-- <= 0) return type
    position.at += 2
  }
  return 0
}

function ipVersion(position: Position): number {
  if (left(position) < 1) return 0
  const version = position.bytes[position.at]! >> 4
  return version === 4 ? ETHER.ipv4 : version === 6 ? ETHER.ipv6 : 0
}

function readNetwork(position: Position, type: number): TcpSegment | OtherPacket {
  if (position.headersLeft-- <= 0) return 'other'
  if (type === ETHER.ipv4) return readIpv4(position)
  if (type === ETHER.ipv6) return readIpv6(position)
  return 'other'
}

function readIpv4(position: Position): TcpSegment | OtherPacket {
  const { bytes, at } = position
  if (left(position) < 20) return 'other'
  const headerLength = (bytes[at]! & 0x0f) * 4
  if (bytes[at]! >> 4 !== 4 || headerLength < 20) return 'other'
  // Segments that the network card cuts up later have the length 0.
  const total = bytes.readUInt16BE(at + 2)
  if (total >= headerLength) position.end = Math.min(position.end, at + total)
  const fragment = bytes.readUInt16BE(at + 6)
  if ((fragment & 0x3fff) !== 0) return 'fragment'
  position.at += headerLength
  return readTransport(position, bytes[at + 9]!, [at + 12, at + 16, 4])
}

function readIpv6(position: Position): TcpSegment | OtherPacket {
  const { bytes, at } = position
  if (left(position) < 40 || bytes[at]! >> 4 !== 6) return 'other'
  const payload = bytes.readUInt16BE(at + 4)
  if (payload > 0) position.end = Math.min(position.end, at + 40 + payload)
  let next = bytes[at + 6]!
  position.at += 40
  while (PASSED_OVER.has(next) && left(position) >= 8 && position.headersLeft-- > 0) {
    const isAuthentication = next === 51
    next = bytes[position.at]!
    const length = bytes[position.at + 1]!
    position.at += isAuthentication ? (length + 2) * 4 : (length + 1) * 8
  }
  return next === FRAGMENT ? 'fragment' : readTransport(position, next, [at + 8, at + 24, 16])
}

type Addresses = readonly [source: number, destination: number, length: number]

function readTransport(position: Position, protocol: number, addresses: Addresses): TcpSegment | OtherPacket {
  if (protocol === PROTOCOL.udp) return readTunnel(position)
  if (protocol !== PROTOCOL.tcp || left(position) < 20) return 'other'
  const { bytes, at, end, network } = position
  const headerLength = (bytes[at + 12]! >> 4) * 4
  if (headerLength < 20) return 'other'
  const flags = bytes[at + 13]!
  const [from, to, length] = addresses
  const isSyn = (flags & 0x02) !== 0
  const text = (address: number, port: number): string =>
    bytes.toString('latin1', address, address + length) + bytes.toString('latin1', port, port + 2)
  return {
    source: text(from, at),
    destination: text(to, at + 2),
    sequence: bytes.readUInt32BE(at + 4),
    acknowledged: bytes.readUInt32BE(at + 8),
    isSyn,
    isFin: (flags & 0x01) !== 0,
    isReset: (flags & 0x04) !== 0,
    start: Math.min(end, at + headerLength),
    end,
    network,
  }
}

/** The packet within VXLAN or Geneve, as mirrors of cloud networks send them. */
function readTunnel(position: Position): TcpSegment | OtherPacket {
  const { bytes, at } = position
  if (left(position) < 16) return 'other'
  const port = bytes.readUInt16BE(at + 2)
  const isVxlan = VXLAN_PORTS.has(port) && (bytes[at + 8]! & 0x08) !== 0
  if (!isVxlan && port !== GENEVE_PORT) return 'other'
  position.network = bytes.readUIntBE(at + 12, 3)
  const type = isVxlan ? ETHER.bridged : bytes.readUInt16BE(at + 10)
  position.at += isVxlan ? 16 : 16 + (bytes[at + 8]! & 0x3f) * 4
  return readNetwork(position, type === ETHER.bridged ? readEther(position, 12) : type)
}

/** An address as people write it, from the bytes of {@link TcpSegment}. */
export function writeAddress(endpoint: string): string {
  const bytes = Buffer.from(endpoint, 'latin1').subarray(0, -2)
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16))
  const text = groups.join(':')
  const zeros = text.match(/\b0(?::0)+\b/g) ?? []
  const longest = zeros.reduce((best, run) => (run.length > best.length ? run : best), '')
  if (longest === '') return text
  const at = text.search(new RegExp(`\\b${longest}\\b`))
  const before = text.slice(0, at).replace(/:$/, '')
  const after = text.slice(at + longest.length).replace(/^:/, '')
  return `${before}::${after}`
}
