import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Failure } from '../../kit/index.ts'
import type { ResponseMessage } from '../exchange.ts'
import { parseRawResponse } from '../raw-http.ts'
import type { OutgoingRequest } from './outgoing.ts'

/** Where a raw request goes: a checked address, and the name for TLS. */
export interface RawTarget {
  readonly address: string
  readonly port: number
  readonly isTls: boolean
  readonly serverName: string
  readonly verifiesTls: boolean
}

/**
 * Sends a request byte for byte over a connection of its own, for what no HTTP library sends: any request target, any
 * header line. The answer is read until the other side closes, the limit or the deadline.
 *
 * @throws Failure TARGET_BROKE_PROTOCOL when what comes back is no HTTP answer
 */
export async function rawExchange(
  request: OutgoingRequest,
  target: RawTarget,
  options: { signal: AbortSignal; maxResponseBytes: number },
): Promise<{ response: ResponseMessage; isTruncated: boolean }> {
  const { bytes, isCut } = await converse(wireText(request), target, options)
  try {
    const { message } = parseRawResponse(bytes, { maxBodyBytes: options.maxResponseBytes })
    return { response: message, isTruncated: isCut }
  } catch (error) {
    throw new Failure('TARGET_BROKE_PROTOCOL', { reason: 'the answer is no HTTP' }, { cause: error })
  }
}

/** The request as it goes on the wire: the target is everything of the URL behind the authority. */
function wireText(request: OutgoingRequest): Buffer {
  const rest = request.url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const names = new Set<string>()
  let lines = ''
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    names.add(request.headers[i]!.toLowerCase())
    lines += `${request.headers[i]}: ${request.headers[i + 1]}\r\n`
  }
  const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(request.url)?.[1] ?? ''
  if (!names.has('host')) lines = `Host: ${host}\r\n${lines}`
  if (request.body !== null && !names.has('content-length'))
    lines += `Content-Length: ${request.body.length}\r\n`
  if (!names.has('connection')) lines += 'Connection: close\r\n'
  const head = Buffer.from(`${request.method} ${path} HTTP/1.1\r\n${lines}\r\n`, 'latin1')
  return request.body === null ? head : Buffer.concat([head, request.body])
}

function converse(
  sent: Buffer,
  target: RawTarget,
  options: { signal: AbortSignal; maxResponseBytes: number },
): Promise<{ bytes: Buffer; isCut: boolean }> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    let isCut = false
    const socket = open(target)
    const stop = (): void => void socket.destroy(new Error('aborted'))
    const finish = (error?: Error): void => {
      options.signal.removeEventListener('abort', stop)
      if (options.signal.aborted) reject(options.signal.reason)
      else if (error !== undefined && size === 0) reject(error)
      else resolve({ bytes: Buffer.concat(parts), isCut })
    }
    options.signal.addEventListener('abort', stop, { once: true })
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      // Head and body together; the head has a limit of its own when it is parsed.
      if (size > options.maxResponseBytes + 65_536) {
        isCut = true
        socket.destroy()
      }
    })
    socket.on('error', finish)
    socket.on('close', () => finish())
    socket.end(sent)
  })
}

function open(target: RawTarget): Socket {
  const { address: host, port } = target
  if (!target.isTls) return connect({ host, port })
  return connectTls({ host, port, servername: target.serverName, rejectUnauthorized: target.verifiesTls })
}
