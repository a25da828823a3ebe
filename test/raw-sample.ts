import type { Exchange } from '../src/http/index.ts'
import type { OutgoingRequest } from '../src/http/sender/index.ts'
import type { EpochSeconds } from '../src/kit/index.ts'

/** An exchange of a request text: start line, headers, empty line, body. The answer is an empty 200. */
export function rawSample(request: string): Exchange {
  const gap = request.indexOf('\n\n')
  const [start, ...lines] = request.slice(0, gap).split('\n')
  const [method, target] = start!.split(' ')
  return {
    request: {
      method: method!,
      target: target!,
      version: 'HTTP/1.1',
      headers: lines.flatMap((line) => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
      body: request.slice(gap + 2),
    },
    response: { status: 200, reason: 'OK', headers: [], body: '' },
    at: 1_700_000_000 as EpochSeconds,
    clientIp: '',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

/** The text of a request that goes out, in the same form. */
export function rawOutgoing({ method, url, headers, body }: OutgoingRequest): string {
  const target = url.replace(/^[a-z]+:\/\/[^/]*/, '')
  const lines: string[] = []
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}\n`)
  return `${method} ${target} HTTP/1.1\n${lines.join('')}\n${body === null ? '' : Buffer.from(body).toString('utf8')}`
}
