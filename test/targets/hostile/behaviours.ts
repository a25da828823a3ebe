import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** What a hostile target does to who asks for a path. */
export type Behaviour = (socket: Socket) => void

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a'))
const BOMB_IN_BOMB = gzipSync(BOMB)

/** By path. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '/endless-body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    pour(socket, Buffer.alloc(65_536, 'a'))
  },
  '/endless-chunks': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    pour(socket, Buffer.from(`10000\r\n${'a'.repeat(65_536)}\r\n`))
  },
  '/endless-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pour(socket, Buffer.from('X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000)))
  },
  '/endless-line': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-A: ')
    pour(socket, Buffer.alloc(65_536, 'a'))
  },
  '/ten-thousand-headers': (socket) => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `X-${index}: a\r\n`).join('')
    socket.end(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`)
  },
  '/slow-body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
    drip(socket, 'a')
  },
  '/slow-head': (socket) => drip(socket, 'H'),
  '/never-answers': () => {},
  '/gzip-bomb': (socket) => coded(socket, 'gzip', BOMB),
  '/gzip-bomb-in-bomb': (socket) => coded(socket, 'gzip, gzip', BOMB_IN_BOMB),
  '/many-codings': (socket) => coded(socket, 'gzip, gzip, gzip, gzip, gzip', BOMB_IN_BOMB),
  '/not-gzip': (socket) => coded(socket, 'gzip', Buffer.from('plain text')),
  '/redirect-loop': (socket) => redirect(socket, '/redirect-loop'),
  '/redirect-metadata': (socket) => redirect(socket, 'http://169.254.169.254/latest/meta-data/'),
  '/redirect-elsewhere': (socket) => redirect(socket, 'http://elsewhere.example/'),
  '/redirect-file': (socket) => redirect(socket, 'file:///etc/passwd'),
  '/no-http': (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  '/bad-status': (socket) => socket.end('HTTP/1.1 OK 200\r\n\r\n'),
  '/bad-chunk': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'),
  '/two-lengths': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhello'),
  '/closes-at-once': (socket) => socket.destroy(),
  '/closes-in-head': (socket) => socket.end('HTTP/1.1 200 OK\r\nX-A: '),
  '/closes-in-body': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'),
  '/resets': (socket) => socket.resetAndDestroy(),
  // Not hostile, but not what every client understands.
  '/interim': (socket) =>
    socket.end(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    ),
  '/length-and-chunks': (socket) =>
    socket.end(
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n',
    ),
  '/trailers': (socket) =>
    socket.end(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n2;a=b\r\nok\r\n0\r\nX-End: 1\r\n\r\n',
    ),
  '/no-content': (socket) => socket.end('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'),
  '/until-close': (socket) => socket.end('HTTP/1.0 200 OK\r\nX-Mixed-Case: Ünï\r\nx-mixed-case: 2\r\n\r\nok'),
  '/events': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n')
  },
}

function pour(socket: Socket, part: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(part));
    if (!socket.destroyed) socket.once('drain', more)
  }
  more()
}

function drip(socket: Socket, part: string): void {
  const timer = setInterval(() => socket.write(part), 20)
  socket.once('close', () => clearInterval(timer))
}

function coded(socket: Socket, coding: string, body: Buffer): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`)
  socket.end(body)
}

function redirect(socket: Socket, location: string): void {
  socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`)
}
