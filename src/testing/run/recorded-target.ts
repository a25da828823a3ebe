import { setImmediate as nextTurn } from 'node:timers/promises'
import { absoluteUrl, type Exchange, headerValue } from '../../http/index.ts'
import type { OutgoingRequest, RequestSender, SendOptions, SentResponse } from '../../http/sender/index.ts'
import { draftOf } from '../attempts/index.ts'
import { effectOf } from '../writes/write-effect.ts'
import { exchangeOf } from './run-tools.ts'
import type { SampleShelf } from './sample-shelf.ts'

/** What tests would have sent. */
interface SendCounts {
  requests: number
  /** Of these, requests that may change data. */
  writes: number
}

/** Requests that are answered before the thread does other work: one check may send thousands. */
const ANSWERED_AT_ONCE = 50

/** An answer for endpoints that only a document describes. */
const DESCRIBED: Exchange['response'] = {
  status: 200,
  reason: 'OK',
  headers: ['content-type', 'application/json'],
  body: '{}',
}

/**
 * Replaces the targets of a run: it sends nothing, counts, and answers like a sound application. Known URLs are
 * answered as recorded, requests without the recorded credentials are refused, and unknown URLs are not found.
 */
export class RecordedTarget implements RequestSender {
  readonly counts: SendCounts = { requests: 0, writes: 0 }
  readonly byHost = new Map<string, number>()
  readonly #answers = new Map<string, Exchange>()
  readonly #namesIn: (sample: Exchange) => readonly string[]

  /** @param namesIn headers and cookies of a sample that carry credentials */
  constructor(
    samples: SampleShelf,
    collectionIds: readonly number[],
    namesIn: (sample: Exchange) => readonly string[],
  ) {
    this.#namesIn = namesIn
    for (const id of collectionIds)
      for (const sample of samples.everyOf(id)) {
        const key = keyOf(sample.request.method, absoluteUrl(sample.request))
        if (!this.#answers.has(key)) this.#answers.set(key, sample)
      }
  }

  async send(request: OutgoingRequest, { signal }: SendOptions): Promise<SentResponse> {
    if (this.counts.requests % ANSWERED_AT_ONCE === ANSWERED_AT_ONCE - 1) await nextTurn()
    signal.throwIfAborted()
    this.counts.requests++
    if (effectOf(draftOf(exchangeOf(request, DESCRIBED))) !== 'read') this.counts.writes++
    const { host } = new URL(request.url)
    this.byHost.set(host, (this.byHost.get(host) ?? 0) + 1)
    return {
      response: this.#answerTo(request),
      isTruncated: false,
      url: request.url,
      redirects: [],
      refusedRedirect: null,
      firstByteMs: 1,
      totalMs: 1,
      remoteAddress: '',
    }
  }

  #answerTo(request: OutgoingRequest): Exchange['response'] {
    const sample = this.#answers.get(keyOf(request.method, request.url))
    if (sample === undefined) return refusal(404, 'Not Found')
    const names = this.#namesIn(sample)
    const [recorded, sent] = [sample.request.headers, request.headers]
    if (names.length > 0 && names.every((name) => credential(sent, name) === undefined))
      return refusal(401, 'Unauthorized')
    if (names.some((name) => credential(sent, name) !== credential(recorded, name)))
      return refusal(403, 'Forbidden')
    return sample.response.status === 0 ? DESCRIBED : sample.response
  }
}

function refusal(status: number, reason: string): Exchange['response'] {
  return {
    status,
    reason,
    headers: ['content-type', 'application/json'],
    body: JSON.stringify({ error: reason }),
  }
}

/** The value of a header, or of a cookie of that name. */
function credential(headers: Exchange['request']['headers'], name: string): string | undefined {
  const value = headerValue(headers, name)
  if (value !== undefined) return value
  const cookies = (headerValue(headers, 'cookie') ?? '').split(';').map((pair) => pair.trim())
  return cookies.find((pair) => pair.toLowerCase().startsWith(`${name}=`))
}

function keyOf(method: string, url: string): string {
  return `${method} ${url.replace(/[?#].*$/s, '')}`
}
