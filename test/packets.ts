/** Packets and capture files, built byte by byte for tests of what reads them. */

interface Endpoints {
  readonly client: string
  readonly server: string
  readonly clientPort: number
  readonly serverPort: number
}

const FLAG = { fin: 1, syn: 2, reset: 4, push: 8, ack: 16 } as const

function address(text: string): Buffer {
  if (!text.includes(':')) return Buffer.from(text.split('.').map(Number))
  const [before = '', after = ''] = text.split('::')
  const groups = (part: string): number[] =>
    part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]))
  const [left, right] = [groups(before), groups(after)]
  const all = [...left, ...Array(8 - left.length - right.length).fill(0), ...right]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}

function number16(value: number): Buffer {
  return Buffer.from([(value >> 8) & 255, value & 255])
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** An IP packet with a payload of a protocol. */
function ipPacket(from: string, to: string, protocol: number, payload: Buffer): Buffer {
  const [source, target] = [address(from), address(to)]
  if (source.length === 16) {
    const head = Buffer.from([0x60, 0, 0, 0, ...number16(payload.length), protocol, 64])
    return Buffer.concat([head, source, target, payload])
  }
  const head = Buffer.from([0x45, 0, ...number16(20 + payload.length), 0, 1, 0x40, 0, 64, protocol, 0, 0])
  return Buffer.concat([head, source, target, payload])
}

/** An Ethernet frame around an IP packet, with VLAN tags as wanted. */
export function frame(ip: Buffer, vlans: readonly number[] = []): Buffer {
  const tags = vlans.map((vlan) => Buffer.concat([number16(0x8100), number16(vlan)]))
  return Buffer.concat([Buffer.alloc(12, 2), ...tags, number16(ip[0]! >> 4 === 6 ? 0x86dd : 0x0800), ip])
}

/** A frame as a cloud network mirrors it: within UDP and VXLAN. */
export function vxlan(inner: Buffer, network: number): Buffer {
  const header = Buffer.concat([Buffer.from([8, 0, 0, 0]), number32(network << 8)])
  const udp = Buffer.concat([number16(50_000), number16(4789), number16(16 + inner.length), number16(0)])
  return frame(ipPacket('10.9.0.1', '10.9.0.2', 17, Buffer.concat([udp, header, inner])))
}

/** The packets of one TCP connection, without link header, in the order of the calls. */
export class Conversation {
  readonly packets: Buffer[] = []
  readonly #ends: Endpoints
  #clientAt: number
  #serverAt: number

  constructor(ends: Partial<Endpoints> = {}, firstSequence = 1000) {
    this.#ends = { client: '10.0.0.1', server: '10.0.0.2', clientPort: 40_000, serverPort: 80, ...ends }
    this.#clientAt = firstSequence
    this.#serverAt = firstSequence + 7000
  }

  open(): this {
    this.#add('client', FLAG.syn, '')
    this.#clientAt++
    this.#add('server', FLAG.syn | FLAG.ack, '')
    this.#serverAt++
    return this
  }

  close(): this {
    this.#add('client', FLAG.fin | FLAG.ack, '')
    this.#add('server', FLAG.fin | FLAG.ack, '')
    return this
  }

  /** Sends data from one end, in segments of at most `size` bytes. */
  send(from: 'client' | 'server', data: string | Buffer, size = 1400): this {
    const bytes = Buffer.from(data)
    for (let at = 0; at < bytes.length; at += size) {
      const part = bytes.subarray(at, at + size)
      this.#add(from, FLAG.push | FLAG.ack, part)
      if (from === 'client') this.#clientAt += part.length
      else this.#serverAt += part.length
    }
    return this
  }

  #add(from: 'client' | 'server', flags: number, data: string | Buffer): void {
    const { client, server, clientPort, serverPort } = this.#ends
    const isClient = from === 'client'
    const [fromPort, toPort] = isClient ? [clientPort, serverPort] : [serverPort, clientPort]
    const [at, other] = isClient ? [this.#clientAt, this.#serverAt] : [this.#serverAt, this.#clientAt]
    const head = Buffer.concat([number16(fromPort), number16(toPort), number32(at), number32(other)])
    const rest = Buffer.from([0x50, flags, 0xff, 0xff, 0, 0, 0, 0])
    const segment = Buffer.concat([head, rest, Buffer.from(data)])
    this.packets.push(isClient ? ipPacket(client, server, 6, segment) : ipPacket(server, client, 6, segment))
  }
}

/** A pcap file of frames, one a second from `seconds` on. */
export function pcap(
  frames: readonly Buffer[],
  { linkType = 1, seconds = 1_769_850_000, isLittle = true, magic = 0xa1b2c3d4 } = {},
): Buffer {
  const write = (value: number): Buffer => (isLittle ? number32(value).swap32() : number32(value))
  const header = [
    write(magic),
    isLittle ? '\x02\0\x04\0' : '\0\x02\0\x04',
    write(0),
    write(0),
    write(262_144),
  ]
  const parts = [...header, write(linkType)]
  for (const [i, bytes] of frames.entries())
    parts.push(write(seconds + i), write(500), write(bytes.length), write(bytes.length), bytes)
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)))
}

/** A pcapng file of one section and interface, with times in nanoseconds and a block that readers pass over. */
export function pcapng(
  frames: readonly Buffer[],
  { linkType = 1, seconds = 1_769_850_000, isLittle = true, isSimple = false } = {},
): Buffer {
  const write = (value: number): Buffer => (isLittle ? number32(value).swap32() : number32(value))
  const pair = (first: number, second: number): Buffer =>
    isLittle
      ? Buffer.concat([number16(first).swap16(), number16(second).swap16()])
      : Buffer.concat([number16(first), number16(second)])
  const block = (kind: number, ...body: Buffer[]): Buffer => {
    const bytes = Buffer.concat(body)
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
    return Buffer.concat([write(kind), write(padded.length + 12), padded, write(padded.length + 12)])
  }
  const packetBlock = (bytes: Buffer, i: number): Buffer => {
    if (isSimple) return block(3, write(bytes.length), bytes)
    const ticks = BigInt(seconds + i) * 1_000_000_000n
    const time = [write(Number(ticks >> 32n)), write(Number(ticks & 0xffffffffn))]
    return block(6, write(0), ...time, write(bytes.length), write(bytes.length), bytes)
  }
  return Buffer.concat([
    block(0x0a0d0d0a, write(0x1a2b3c4d), pair(1, 0), write(0xffffffff), write(0xffffffff)),
    block(1, pair(linkType, 0), write(0), pair(9, 1), Buffer.from([9, 0, 0, 0]), pair(0, 0)),
    block(5, write(0), write(0), write(0)),
    ...frames.map(packetBlock),
  ])
}
