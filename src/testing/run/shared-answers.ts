import type { OutgoingRequest } from '../../http/sender/index.ts'
import { nowMs } from '../../kit/index.ts'
import { joined } from './fresh-answers.ts'
import type { SentRequest } from './tools.ts'

const MOST = 500
const KEPT_MS = 120_000
/** Longer answers are not kept. */
const MAX_KEPT_CHARS = 100_000

/** Answers to first probes, which several tests send alike: each is sent once for all of them. */
export class SharedAnswers {
  readonly #answers = new Map<string, { readonly at: number; readonly sent: Promise<SentRequest> }>()

  /** @throws Failure a code of the sender; it is not kept */
  of(
    request: OutgoingRequest,
    followRedirects: boolean,
    send: () => Promise<SentRequest>,
  ): Promise<SentRequest> {
    const body = request.body === null ? '' : Buffer.from(request.body).toString('latin1')
    const key = JSON.stringify([request.method, request.url, request.headers, body, followRedirects])
    const known = this.#answers.get(key)
    if (known !== undefined && nowMs() - known.at < KEPT_MS)
      return joined(known.sent, () => this.of(request, followRedirects, send))
    const sent = send()
    this.#answers.delete(key)
    this.#answers.set(key, { at: nowMs(), sent })
    if (this.#answers.size > MOST) this.#answers.delete(this.#answers.keys().next().value!)
    void sent.then(
      ({ exchange }) => {
        if (exchange.response.body.length > MAX_KEPT_CHARS) this.#answers.delete(key)
      },
      () => this.#answers.delete(key),
    )
    return sent
  }
}
