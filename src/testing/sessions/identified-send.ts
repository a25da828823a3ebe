import type { OutgoingRequest, RequestSender, SendOptions, SentResponse } from '../../http/sender/index.ts'
import type { RequestIdentity } from '../attempts/request-draft.ts'
import { type DigestChallenge, digestAuthorization, digestChallenge } from './digest.ts'

interface Met {
  readonly challenge: DigestChallenge
  count: number
}

/**
 * Sends requests as somebody: over connections with a client certificate, and with answers to digest challenges. What a
 * server asked for is remembered, so that most requests carry their answer at once (RFC 7616 section 3.6).
 */
export class IdentifiedSend {
  readonly #sender: RequestSender
  /** By user and origin. */
  readonly #met = new Map<string, Met>()

  constructor(sender: RequestSender) {
    this.#sender = sender
  }

  /** @throws Failure a code of the sender */
  send(
    request: OutgoingRequest,
    options: SendOptions,
    identity: RequestIdentity | null,
  ): Promise<SentResponse> {
    return identity === null ? this.#sender.send(request, options) : this.#sendAs(request, options, identity)
  }

  async #sendAs(
    request: OutgoingRequest,
    options: SendOptions,
    identity: RequestIdentity,
  ): Promise<SentResponse> {
    const { digest, clientCertificate } = identity
    const with_: SendOptions = clientCertificate === undefined ? options : { ...options, clientCertificate }
    if (digest === undefined) return this.#sender.send(request, with_)
    const key = `${digest.user} ${digest.password} ${URL.canParse(request.url) ? new URL(request.url).origin : ''}`
    const known = this.#met.get(key)
    const first = await this.#sender.send(known ? answered(request, digest, known) : bare(request), with_)
    if (first.response.status !== 401) return first
    const challenge = digestChallenge(first.response.headers)
    // The same challenge again means that the answer was wrong, not that the nonce was old.
    if (challenge === null || challenge.nonce === known?.challenge.nonce) return first
    const met: Met = { challenge, count: 0 }
    this.#met.set(key, met)
    return this.#sender.send(answered(request, digest, met), with_)
  }
}

function bare(request: OutgoingRequest): OutgoingRequest {
  const headers = request.headers.filter(
    (_part, i, all) => all[i - (i % 2)]!.toLowerCase() !== 'authorization',
  )
  return { ...request, headers }
}

function answered(
  request: OutgoingRequest,
  user: NonNullable<RequestIdentity['digest']>,
  met: Met,
): OutgoingRequest {
  met.count++
  const target = request.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  const value = digestAuthorization(
    user,
    met.challenge,
    { method: request.method, target: target.startsWith('/') ? target : `/${target}`, body: request.body },
    met.count,
  )
  return { ...bare(request), headers: [...bare(request).headers, 'authorization', value] }
}
