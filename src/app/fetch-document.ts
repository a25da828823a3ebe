import { Sender, TargetScope } from '../http/sender/index.ts'
import { Failure } from '../kit/index.ts'

const TOTAL_MS = 120_000

/** How a document is fetched. */
export interface FetchLimits {
  readonly maxBytes: number
  readonly verifiesTls: boolean
}

/**
 * Fetches a document that a person named, from exactly the host of its URL; a redirect to another host is not followed.
 *
 * @throws Failure DOCUMENT_NOT_FETCHED with the reason
 */
export async function fetchDocument(url: string, { maxBytes, verifiesTls }: FetchLimits): Promise<Buffer> {
  const sender = new Sender({
    scope: new TargetScope([new URL(url).host]),
    requestsPerMinute: 0,
    verifiesTls,
    limits: { bodyBytes: maxBytes, totalMs: TOTAL_MS },
    audit: () => {},
  })
  const refuse = (reason: string, cause?: unknown): Failure =>
    new Failure('DOCUMENT_NOT_FETCHED', { url: withoutSecrets(url), reason }, { cause })
  try {
    const { response, isTruncated, refusedRedirect } = await sender.send(
      { method: 'GET', url, headers: ['accept', '*/*'], body: null },
      {
        followRedirects: true,
        signal: AbortSignal.timeout(TOTAL_MS),
        purpose: { kind: 'probe', runId: null, summaryId: null, testId: null, user: null },
      },
    )
    if (refusedRedirect !== null)
      throw refuse(`it redirects to ${withoutSecrets(refusedRedirect.url)}; name that URL`)
    if (response.status !== 200) throw refuse(`the answer has status ${response.status}`)
    if (isTruncated) throw refuse(`it is larger than ${maxBytes} bytes`)
    return Buffer.from(response.body, response.bodyIsBase64 ? 'base64' : 'utf8')
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'DOCUMENT_NOT_FETCHED') throw error
    const { reason } = error.details
    throw refuse(reason === undefined ? error.code : String(reason), error)
  } finally {
    await sender.close()
  }
}

/** A URL for messages: user, password and query may be credentials. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
