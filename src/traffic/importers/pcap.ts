import {
  type Exchange,
  parseRawRequest,
  parseRawResponse,
  type RawMessage,
  type ResponseMessage,
} from '../../http/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import type { CapturedPair, Connection, UnreadProtocol } from '../capture/connection.ts'
import { Connections } from '../capture/connections.ts'
import { writeAddress } from '../capture/packet.ts'
import { type CapturedPacket, isPacketFile, packetsOf } from '../capture/packet-file.ts'
import { DecodeBudget } from '../decode-budget.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'

const MAX_EXCHANGES = 500_000
const MAX_SECONDS = 0x7fffffff

const WHY_UNREAD: Readonly<Record<UnreadProtocol, string>> = {
  TLS: 'use TLS and cannot be read: capture behind the server that ends TLS, for example on the loopback interface',
  'HTTP/2': 'use HTTP/2 without TLS, which is not read from captures',
  other: 'do not carry HTTP/1.x',
}

/**
 * Packet captures as tcpdump and Wireshark write them, pcap and pcapng: HTTP/1.x over TCP, put together from its
 * packets. Also what cloud networks mirror through VXLAN or Geneve.
 */
export const pcapImporter: Importer = {
  name: 'pcap',
  label: 'packet capture (pcap, pcapng)',
  endings: ['.pcap', '.pcapng', '.cap'],
  detect: () => false,
  detectBytes: isPacketFile,
  read(input, options = {}) {
    const file =
      typeof input === 'string'
        ? Buffer.from(input)
        : Buffer.from(input.buffer, input.byteOffset, input.length)
    if (!isPacketFile(file)) {
      decodeInput(input)
      throw unreadable('pcap', 'it does not begin like a pcap or pcapng file', 'byte 0')
    }
    const report = new ImportReportWriter(options.fileName ?? 'packet capture')
    const packets = packetsOf(file, report)
    const reader = new CaptureReader(file, report, options)
    return { importer: 'pcap', exchanges: reader.read(packets), declared: [], report }
  },
}

class CaptureReader {
  readonly #file: Buffer
  readonly #report: ImportReportWriter
  readonly #options: ImportOptions
  readonly #connections = new Connections()
  readonly #budget = new DecodeBudget()
  readonly #unread = new Map<UnreadProtocol, number>()
  #index = 0

  constructor(file: Buffer, report: ImportReportWriter, options: ImportOptions) {
    this.#file = file
    this.#report = report
    this.#options = options
  }

  *read(packets: Iterable<CapturedPacket>): Generator<ImportedExchange> {
    for (const connection of this.#connections.read(this.#file, packets)) {
      const found = connection.read(this.#file)
      if (typeof found === 'string') this.#unread.set(found, (this.#unread.get(found) ?? 0) + 1)
      if (!Array.isArray(found)) continue
      for (const pair of found) {
        if (this.#index >= MAX_EXCHANGES) {
          this.#report.stop(whereOf(pair), `only the first ${MAX_EXCHANGES} exchanges are read`)
          return
        }
        yield* this.#take(pair, connection)
        this.#index++
      }
    }
    this.#tellRest()
  }

  *#take(pair: CapturedPair, connection: Connection): Generator<ImportedExchange> {
    const where = whereOf(pair)
    const index = this.#index
    const { request: asked, response: answered } = pair
    if (asked === undefined) {
      this.#report.skip(index, where, '', 'the request of this response was not captured')
      return
    }
    try {
      const request = this.#budget.spend((maxBodyBytes) => parseRawRequest(asked.bytes, { maxBodyBytes }))
      const response =
        answered === undefined
          ? NO_RESPONSE
          : this.#budget.spend((maxBodyBytes) => parseRawResponse(answered.bytes, { maxBodyBytes }))
      const { method, target } = request.message
      const what = describeRequest(method, target)
      this.#report.take(index, where, what, [...request.notes, ...response.notes])
      const exchange: Exchange = {
        request: request.message,
        response: response.message,
        at: this.#timeOf(asked.first.seconds),
        clientIp: writeAddress(pair.client),
        serverIp: writeAddress(pair.server),
        source: this.#options.source ?? 'PCAP',
        direction: 1,
        vxlanId: connection.network,
      }
      yield { exchange, index, where, what }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      this.#report.skip(index, where, '', String(error.details['reason']))
    }
  }

  #timeOf(seconds: number): number {
    const whole = Math.floor(seconds)
    return whole > 0 && whole <= MAX_SECONDS ? whole : (this.#options.at ?? nowSeconds())
  }

  /** What of the capture could not be read. */
  #tellRest(): void {
    const { packets, fragments, unknownLinks } = this.#connections.counts
    for (const [protocol, count] of this.#unread)
      this.#report.warn(
        '',
        `${count} TCP ${count === 1 ? 'connection' : 'connections'}: ${WHY_UNREAD[protocol]}`,
      )
    if (fragments > 0) this.#report.warn('', `${fragments} IP fragments are not put together`)
    for (const [link, count] of unknownLinks)
      this.#report.warn('', `${count} packets of link type ${link} are not read`)
    if (this.#index === 0) this.#report.warn('', `no HTTP/1.x message is in its ${packets} packets`)
  }
}

const NO_RESPONSE: RawMessage<ResponseMessage> = {
  message: { status: 0, reason: '', headers: [], body: '' },
  notes: ['its response was not captured'],
}

function whereOf({ request, response }: CapturedPair): string {
  return `packet ${(request ?? response)!.first.packet}`
}
