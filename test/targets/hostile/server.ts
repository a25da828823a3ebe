import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { BEHAVIOURS } from './behaviours.ts'
import { selfSigned } from './self-signed.ts'

/** A target that does what no target should, on 127.0.0.1. */
export interface HostileTarget {
  /** `127.0.0.1:port`, without TLS. */
  readonly host: string
  /** The same over TLS, with a certificate that nobody trusts. */
  readonly tlsHost: string
  /** The heads of all requests so far, as they came. */
  readonly seen: string[]
  /** Fingerprints (SHA-256, hex) of the certificates that callers showed; '' for none. */
  readonly callers: string[]
  /** Connections that are open now. */
  connections(): number
  close(): Promise<void>
}

/** Starts a hostile target on free ports; behaviours.ts lists its paths. Any other path answers with 200. */
export async function startHostileTarget(): Promise<HostileTarget> {
  const seen: string[] = []
  const callers: string[] = []
  const sockets = new Set<Socket>()
  const serve = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let held = ''
    socket.on('data', (bytes) => {
      held += bytes.toString('latin1')
      const end = held.indexOf('\r\n\r\n')
      if (end < 0) return
      seen.push(held)
      const path = held.split(' ', 2)[1]?.split('?', 1)[0] ?? ''
      held = ''
      const behaviour = Object.hasOwn(BEHAVIOURS, path) ? BEHAVIOURS[path] : undefined
      if (behaviour) behaviour(socket)
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  }
  const { key, certificate } = selfSigned('hostile.test')
  const plain = createServer(serve)
  const secure = createTlsServer(
    { key, cert: certificate, requestCert: true, rejectUnauthorized: false },
    (socket: TLSSocket) => {
      const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? ''
      callers.push(shown.replaceAll(':', '').toLowerCase())
      serve(socket)
    },
  )
  secure.on('tlsClientError', () => {})
  return {
    host: await listen(plain),
    tlsHost: await listen(secure),
    seen,
    callers,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([closed(plain), closed(secure)])
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
