import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Exchange } from '../../src/http/index.ts'
import type { ThreatMessage } from '../../src/threat/index.ts'

/** A labelled request of the data set (`data/README.md`). */
export interface LabelledRequest {
  readonly id: string
  readonly label: 'malicious' | 'benign'
  readonly set: string
  readonly category: string
  readonly encoder: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The requests of a gzip-compressed file of JSON lines; the half that lies beside unless told otherwise. */
export function labelledRequests(
  path: string | URL = new URL('data/requests.jsonl.gz', import.meta.url),
): LabelledRequest[] {
  const text = gunzipSync(readFileSync(path)).toString()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LabelledRequest)
}

/** A request as a message, answered with 200 and nothing. */
export function messageOf(
  request: Pick<LabelledRequest, 'method' | 'path' | 'headers' | 'body'>,
): ThreatMessage {
  const exchange: Exchange = {
    request: {
      method: request.method,
      target: request.path,
      version: 'HTTP/1.1',
      headers: Object.entries(request.headers).flat(),
      body: request.body,
    },
    response: { status: 200, reason: 'OK', headers: [], body: '' },
    at: 1_800_000_000,
    clientIp: '203.0.113.7',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
  return { exchange, actorAddress: '203.0.113.7', country: '', collectionId: 1 }
}
