import { headerValue } from '../http/index.ts'
import { type AuditEntry, Sender, TargetScope } from '../http/sender/index.ts'
import { Failure, nowSeconds } from '../kit/index.ts'

const LIMITS = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  bodyBytes: 256 * 1024,
  headBytes: 64 * 1024,
} as const
/** Longest pause that a receiver may ask for. */
const MOST_RETRY_AFTER = 6 * 3600

/** Where messages may go to, and who hears of each. */
export interface PostDeps {
  /** Hosts, addresses and ranges that may be private, by the setting allowedAlertTargets. */
  readonly allowed: readonly string[]
  /** Listeners of this installation, `address:port`. */
  readonly own: readonly string[]
  readonly audit: (entry: AuditEntry) => void
}

/** A request to another system. */
interface PostRequest {
  readonly method: 'POST' | 'GET'
  readonly url: string
  /** Name, value, name, value … */
  readonly headers: readonly string[]
  readonly body: string | null
}

/** What came back. */
export type PostAnswer =
  | { readonly status: number; readonly body: string; readonly retryAfter: number | null }
  /** No answer; `isFinal` says that trying again is of no use. */
  | { readonly status: null; readonly problem: string; readonly isFinal: boolean }

/**
 * Sends one request to exactly the host of its URL. Redirects are not followed: a message goes where a person sent it.
 * Private addresses are refused unless the operator allows them. In the audit the path of the URL, which may be a
 * credential, is left out.
 */
export async function post(
  request: PostRequest,
  { allowed, own, audit }: PostDeps,
  purpose: 'alert' | 'ticket',
  signal: AbortSignal,
): Promise<PostAnswer> {
  const url = URL.parse(request.url)
  if (url === null) return { status: null, problem: 'The URL is malformed.', isFinal: true }
  const sender = new Sender({
    scope: new TargetScope([url.host], own, allowed, {
      trustsPrivateNames: false,
      setting: 'VIGIL_ALLOWED_ALERT_TARGETS',
    }),
    requestsPerMinute: 0,
    verifiesTls: true,
    limits: LIMITS,
    audit: (entry) => audit({ ...entry, url: url.origin }),
  })
  try {
    const { response } = await sender.send(
      {
        method: request.method,
        url: url.href,
        headers: request.headers,
        body: request.body === null ? null : Buffer.from(request.body),
      },
      {
        followRedirects: false,
        signal,
        purpose: { kind: purpose, runId: null, summaryId: null, testId: null, user: null },
      },
    )
    return {
      status: response.status,
      body: response.bodyIsBase64 ? '' : response.body,
      retryAfter: readRetryAfter(headerValue(response.headers, 'retry-after')),
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    const { reason } = error.details as { reason?: string }
    return {
      status: null,
      problem:
        reason === undefined ? (REASONS[error.code] ?? error.code) : `It may not be sent there: ${reason}.`,
      isFinal: error.code === 'TARGET_OUT_OF_SCOPE',
    }
  } finally {
    await sender.close()
  }
}

const REASONS: Readonly<Record<string, string>> = {
  TARGET_UNREACHABLE: 'The host cannot be reached.',
  TARGET_TIMEOUT: 'The host did not answer in time.',
  TARGET_BROKE_PROTOCOL: 'The response is not HTTP.',
  TARGET_CERTIFICATE_REFUSED: 'The certificate of the host is not trusted.',
}

/** Seconds to wait: a number of them, or a date (RFC 9110 section 10.2.3); null when it says nothing usable. */
export function readRetryAfter(value: string | undefined, now = nowSeconds()): number | null {
  if (value === undefined) return null
  const text = value.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil(Date.parse(text) / 1000) - now
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MOST_RETRY_AFTER) : null
}
