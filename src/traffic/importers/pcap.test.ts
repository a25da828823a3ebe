import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Conversation, frame, pcap, pcapng, vxlan } from '../../../test/packets.ts'
import type { Exchange } from '../../http/index.ts'
import { importText } from '../detect-importer.ts'
import type { ImportReport } from '../import-report.ts'
import type { ImportedExchange } from '../importer.ts'

const AT = 1_769_850_000

interface Read {
  readonly taken: ImportedExchange[]
  readonly report: ImportReport
  /** Each exchange in one line. */
  readonly lines: string[]
}

function read(file: Buffer): Read {
  const { importer, exchanges, report } = importText(file, { at: 5 })
  expect(importer).toBe('pcap')
  const taken = [...exchanges]
  return { taken, report, lines: taken.map(({ exchange }) => lineOf(exchange)) }
}

function lineOf({ request, response }: Exchange): string {
  return `${request.method} ${request.target} ${request.body} ${response.status} ${response.body}`
}

const ask = (path: string, rest = '\r\n'): string => `GET ${path} HTTP/1.1\r\nHost: shop.test\r\n${rest}`
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: shop.test\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const answer = (body: string, headers = ''): string =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`

/** A connection with two exchanges. */
function twoOrders(ends = {}, sequence = 1000): Conversation {
  return new Conversation(ends, sequence)
    .open()
    .send('client', post('/orders', '{"qty":2}'))
    .send('server', answer('{"id":7}'))
    .send('client', ask('/orders/7'))
    .send('server', answer('{"id":7,"qty":2}'))
    .close()
}

const ORDERS = ['POST /orders {"qty":2} 200 {"id":7}', 'GET /orders/7  200 {"id":7,"qty":2}']

test('takes the exchanges of a connection with their addresses and times', () => {
  const { taken, report, lines } = read(pcap(twoOrders().packets.map((ip) => frame(ip))))
  expect(lines).toEqual(ORDERS)
  expect(taken[0]).toMatchObject({
    where: 'packet 3',
    what: 'POST /orders',
    exchange: { at: AT + 2, clientIp: '10.0.0.1', serverIp: '10.0.0.2', source: 'PCAP', vxlanId: 0 },
  })
  expect(report).toMatchObject({ total: 2, taken: 2, warningsTotal: 0, fatal: undefined })
})

test.each<[string, (packets: Buffer[]) => Buffer]>([
  [
    'pcap in the other byte order',
    (ips) =>
      pcap(
        ips.map((ip) => frame(ip)),
        { isLittle: false },
      ),
  ],
  [
    'pcap with nanoseconds',
    (ips) =>
      pcap(
        ips.map((ip) => frame(ip)),
        { magic: 0xa1b23c4d },
      ),
  ],
  ['pcapng', (ips) => pcapng(ips.map((ip) => frame(ip)))],
  [
    'pcapng in the other byte order',
    (ips) =>
      pcapng(
        ips.map((ip) => frame(ip)),
        { isLittle: false },
      ),
  ],
  [
    'two sections of pcapng',
    (ips) =>
      Buffer.concat([
        pcapng(ips.slice(0, 4).map((ip) => frame(ip))),
        pcapng(
          ips.slice(4).map((ip) => frame(ip)),
          { isLittle: false },
        ),
      ]),
  ],
  ['VLAN tags within each other', (ips) => pcap(ips.map((ip) => frame(ip, [7, 8])))],
  ['IP without link header', (ips) => pcap(ips, { linkType: 101 })],
  [
    'the loopback of BSD',
    (ips) =>
      pcap(
        ips.map((ip) => Buffer.concat([Buffer.from([2, 0, 0, 0]), ip])),
        { linkType: 0 },
      ),
  ],
  [
    'Linux cooked capture',
    (ips) =>
      pcap(
        ips.map((ip) => Buffer.concat([Buffer.alloc(14), Buffer.from([8, 0]), ip])),
        { linkType: 113 },
      ),
  ],
  [
    'Linux cooked capture 2',
    (ips) =>
      pcap(
        ips.map((ip) => Buffer.concat([Buffer.from([8, 0]), Buffer.alloc(18), ip])),
        { linkType: 276 },
      ),
  ],
])('reads %s', (_, write) => {
  const { lines, report } = read(write(twoOrders().packets))
  expect(lines).toEqual(ORDERS)
  expect(report).toMatchObject({ warningsTotal: 0, skippedTotal: 0, fatal: undefined })
})

test('reads simple packets of pcapng, whose time is that of the import', () => {
  const { taken, lines } = read(
    pcapng(
      twoOrders().packets.map((ip) => frame(ip)),
      { isSimple: true },
    ),
  )
  expect(lines).toEqual(ORDERS)
  expect(taken[0]!.exchange.at).toBe(5)
})

test('reads IPv6 with shortened addresses', () => {
  const ends = { client: '2001:db8::1:0:0:7', server: 'fd00::2' }
  const { taken } = read(pcap(twoOrders(ends).packets.map((ip) => frame(ip))))
  expect(taken[0]!.exchange).toMatchObject({ clientIp: '2001:db8::1:0:0:7', serverIp: 'fd00::2' })
})

test('reads what a cloud network mirrors through VXLAN, with the number of the network', () => {
  const frames = twoOrders().packets.map((ip) => vxlan(frame(ip), 4711))
  const { taken, lines } = read(pcap(frames))
  expect(lines).toEqual(ORDERS)
  expect(taken[0]!.exchange.vxlanId).toBe(4711)
})

test('puts segments in order: shuffled, repeated and overlapping', () => {
  const body = 'x'.repeat(500)
  const one = new Conversation().open().send('client', post('/a', body), 90).send('server', answer('{}'), 10)
  const [syn, back, ...data] = one.packets
  const shuffled = [...data.filter((_, i) => i % 2 === 1), ...data, ...data.filter((_, i) => i % 3 === 0)]
  const { lines } = read(pcap([syn!, back!, ...shuffled].map((ip) => frame(ip))))
  expect(lines).toEqual([`POST /a ${body} 200 {}`])
})

test('reads on when sequence numbers begin again', () => {
  const { lines } = read(pcap(twoOrders({}, 2 ** 32 - 30).packets.map((ip) => frame(ip))))
  expect(lines).toEqual(ORDERS)
})

test('reads chunked, compressed, interim and bodiless responses, and requests sent ahead', () => {
  const gzipped = gzipSync('{"deep":"text"}')
  const zipped = Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n${gzipped.length.toString(16)}\r\n`,
    ),
    gzipped,
    Buffer.from('\r\n0\r\nX-Trailer: 1\r\n\r\n'),
  ])
  const one = new Conversation()
    .open()
    .send(
      'client',
      ask('/zip') + ask('/head').replace('GET', 'HEAD') + ask('/none') + ask('/old') + ask('/end'),
    )
    .send('server', zipped, 7)
    .send('server', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n')
    .send('server', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')
    .send('server', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n')
    .send('server', 'HTTP/1.0 200 OK\r\n\r\nuntil the ')
    .send('server', 'end')
    .close()
  const { lines, report } = read(pcap(one.packets.map((ip) => frame(ip))))
  expect(lines).toEqual([
    'GET /zip  200 {"deep":"text"}',
    'HEAD /head  200 ',
    'GET /none  204 ',
    'GET /old  304 ',
    'GET /end  200 until the end',
  ])
  expect(report.warningsTotal).toBe(0)
})

test('tells requests and responses of many connections on the same ports apart', () => {
  const packets = [...twoOrders().packets, ...twoOrders({}, 500_000).packets]
  const others = Array.from({ length: 1100 }, (_, i) => twoOrders({ clientPort: 1000 + i }).packets)
  const { lines } = read(pcap([...packets, ...others.flat()].map((ip) => frame(ip))))
  expect(lines).toHaveLength(2204)
  expect(new Set(lines)).toEqual(new Set(ORDERS))
})

test('pairs what is left where the capture began late or lost packets, and tells what is missing', () => {
  const one = new Conversation()
    .send('server', answer('"of an earlier request"'))
    .send('client', ask('/1'))
    .send('server', answer('1'))
    .send('client', ask('/2'))
    .send('server', answer('2'))
    .send('client', ask('/3'))
    .send('server', answer('3'))
    .send('client', ask('/4'))
    .send('server', answer('4'))
  // The response to /2 and the request of /3 are lost.
  const captured = one.packets.filter((_, i) => i !== 4 && i !== 5)
  const { lines, report } = read(pcap(captured.map((ip) => frame(ip))))
  expect(lines).toEqual(['GET /1  200 1', 'GET /2  0 ', 'GET /4  200 4'])
  expect(report.skipped.map(({ where, reason }) => [where, reason])).toEqual([
    ['packet 1', 'the request of this response was not captured'],
    ['packet 5', 'the request of this response was not captured'],
  ])
  expect(report.warnings).toMatchObject([{ where: 'packet 4', reason: 'its response was not captured' }])
})

test('continues behind a body of which packets are missing', () => {
  const one = new Conversation()
    .open()
    .send('client', ask('/1'))
    .send('server', answer('x'.repeat(400)), 100)
    .send('client', ask('/2'))
    .send('server', answer('2'))
  const { lines, report } = read(pcap(one.packets.filter((_, i) => i !== 5).map((ip) => frame(ip))))
  expect(lines).toEqual([`GET /1  200 ${'x'.repeat(160)}`, 'GET /2  200 2'])
  expect(report.warnings[0]!.reason).toMatch(/ends 240 bytes before its Content-Length/)
})

test('counts what it cannot read', () => {
  const tls = new Conversation({ serverPort: 443 }).open().send('client', Buffer.from([22, 3, 1, 0, 5, 1]))
  const second = new Conversation({ clientPort: 9 }).open().send('client', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  const third = new Conversation({ clientPort: 8 }).open().send('server', '220 mail.test ESMTP\r\n')
  const fragment = Buffer.from(twoOrders().packets[2]!)
  fragment[6] = 0x20
  const frames = [...tls.packets, ...second.packets, ...third.packets, fragment].map((ip) => frame(ip))
  const { report } = read(pcap([...frames, Buffer.alloc(5)]))
  expect(report.warnings.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^1 TCP connection: use TLS .*loopback/),
    expect.stringMatching(/^1 TCP connection: use HTTP\/2/),
    expect.stringMatching(/^1 TCP connection: do not carry HTTP/),
    '1 IP fragments are not put together',
    expect.stringMatching(/^no HTTP\/1.x message is in its 11 packets/),
  ])
  expect(read(pcap([Buffer.alloc(90)], { linkType: 105 })).report.warnings[0]!.reason).toBe(
    '1 packets of link type 105 are not read',
  )
})

test('takes what stands before a cut or a damaged length, and tells the place', () => {
  const frames = twoOrders().packets.map((ip) => frame(ip))
  for (const write of [pcap, pcapng]) {
    const file = write(frames)
    const cut = read(file.subarray(0, file.length - 3))
    expect(cut.lines).toEqual(ORDERS)
    expect(cut.report.fatal!.where).toMatch(/^packet 8 \(byte \d+\)$/)
  }
  const damaged = pcap(frames)
  damaged.writeUInt32LE(0x7fffffff, 24 + 8)
  expect(read(damaged).report.fatal).toEqual({
    where: 'packet 1 (byte 24)',
    reason: 'it claims 2147483647 bytes: the file is damaged here',
  })
})

test.each([
  ['cut within the header', Buffer.from('d4c3b2a102000400', 'hex')],
  ['a section of no byte order', Buffer.concat([Buffer.from('0a0d0d0a', 'hex'), Buffer.alloc(40)])],
])('refuses a file that is %s', (_, bytes) => {
  expect(() => importText(bytes)).toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }))
})

test.each<[string, () => Buffer[]]>([
  [
    'start lines without end in packets of few bytes',
    () => new Conversation().send('client', 'A A HTTP/1.1\n'.repeat(20_000), 13).packets,
  ],
  ['words of a line without end', () => new Conversation().send('client', 'A '.repeat(60_000), 2).packets],
  [
    'status lines without end',
    () => new Conversation().send('server', 'HTTP/1.1 200 '.repeat(20_000), 13).packets,
  ],
  [
    'chunks of one byte',
    () =>
      new Conversation()
        .send('client', ask('/a'))
        .send(
          'server',
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(100_000)}`,
        ).packets,
  ],
  [
    'connections of one packet',
    () =>
      Array.from(
        { length: 70_000 },
        (_, i) =>
          new Conversation({ clientPort: i % 65_536, client: `10.1.0.${i >> 16}` }).send('client', 'x')
            .packets[0]!,
      ),
  ],
  [
    'bodies that decode to much',
    () =>
      new Conversation()
        .send('client', ask('/a').repeat(20))
        .send(
          'server',
          Buffer.concat(
            Array(20).fill(
              Buffer.concat([
                Buffer.from(
                  `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`,
                ),
                BOMB,
              ]),
            ),
          ),
        ).packets,
  ],
])('is not held up by %s', (_, make) => {
  const file = pcap(make().map((ip) => frame(ip)))
  const start = performance.now()
  read(file)
  // Each takes a fraction of a second; what grows with the square of the input would take minutes.
  expect(performance.now() - start).toBeLessThan(20_000)
})

const BOMB = gzipSync(Buffer.alloc(30_000_000))
