import type { CustomFetch } from 'openid-client'
import type { ResponseMessage } from '../../http/index.ts'
import { type AuditEntry, Sender, TargetScope } from '../../http/sender/index.ts'

const LIMITS = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  bodyBytes: 1024 * 1024,
  headBytes: 64 * 1024,
} as const
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * How requests to a sign-in provider go out: through the sender, with its limits and its audit, without redirects. The
 * host of the issuer may have a private address, because the operator named it; other hosts that the provider names
 * (Google's keys, for example) must be public.
 */
export function providerFetch(issuer: string, audit: (entry: AuditEntry) => void): CustomFetch {
  const own = new URL(issuer)
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const isIssuer = url.host === own.host
    const sender = new Sender({
      scope: new TargetScope([url.host], [], isIssuer ? [url.host, url.hostname] : [], {
        trustsPrivateNames: isIssuer,
        setting: 'VIGIL_OIDC_ISSUER',
      }),
      requestsPerMinute: 0,
      verifiesTls: true,
      limits: LIMITS,
      audit: (entry) => audit({ ...entry, url: url.origin }),
    })
    try {
      const sent = await sender.send(
        { method, url: url.href, headers: Object.entries(headers).flat(), body: bytesOf(body) },
        {
          followRedirects: false,
          signal: signal ?? AbortSignal.timeout(LIMITS.totalMs),
          purpose: { kind: 'login', runId: null, summaryId: null, testId: null, user: null },
        },
      )
      return responseOf(sent.response)
    } finally {
      await sender.close()
    }
  }
}

function bytesOf(body: unknown): Uint8Array | null {
  if (body === null || body === undefined) return null
  if (body instanceof Uint8Array) return body
  return Buffer.from(String(body))
}

function responseOf(answer: ResponseMessage): Response {
  const headers = new Headers()
  for (let at = 0; at + 1 < answer.headers.length; at += 2) {
    // The body is decoded already.
    const name = answer.headers[at]!.toLowerCase()
    if (name !== 'content-encoding' && name !== 'content-length' && name !== 'transfer-encoding')
      headers.append(name, answer.headers[at + 1]!)
  }
  const body = WITHOUT_BODY.has(answer.status)
    ? null
    : Buffer.from(answer.body, answer.bodyIsBase64 ? 'base64' : 'utf8')
  return new Response(body, { status: answer.status, headers })
}
