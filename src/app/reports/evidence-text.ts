import { type Exchange, writeRawRequest, writeRawResponse } from '../../http/index.ts'
import type { Store } from '../../store/index.ts'
import type { Evidence } from '../../testing/index.ts'

/** Results whose evidence is in memory at one time; each may have 5 MB. */
const AT_ONCE = 20
const MAX_REQUEST = 4_000
const MAX_ANSWER = 4_000

/** The proof of a result as people read it. */
interface ProofText {
  readonly explanation: string
  readonly control: string
  readonly request: string
  readonly answer: string
}

interface Row {
  id: string
  explanation: string
  evidence: string | null
}

/** Reads what proved results, a few at a time, and keeps only the shortened text of the attempt that counts. */
export async function proofTexts(
  store: Store,
  resultIds: readonly string[],
): Promise<Map<string, ProofText>> {
  const texts = new Map<string, ProofText>()
  for (let at = 0; at < resultIds.length; at += AT_ONCE) {
    const { rows } = await store.pool.query<Row>(
      `SELECT r.id, r.explanation, v.evidence FROM run_results r LEFT JOIN result_evidence v ON v.result_id = r.id
       WHERE r.id = ANY ($1::text[])`,
      [resultIds.slice(at, at + AT_ONCE)],
    )
    for (const row of rows) texts.set(row.id, proofOf(row))
  }
  return texts
}

function proofOf({ explanation, evidence }: Row): ProofText {
  const bare = { explanation, control: '', request: '', answer: '' }
  if (evidence === null) return bare
  const { attempts, control } = JSON.parse(evidence) as Evidence
  const shown = attempts.find((attempt) => attempt.validates) ?? attempts.at(-1)
  const words = { explanation, control: control?.explanation ?? '' }
  if (shown === undefined) return { ...bare, ...words }
  return { ...words, request: requestText(shown.exchange), answer: answerText(shown.exchange) }
}

function requestText({ request }: Exchange): string {
  const target = /^https?:/i.test(request.target) ? 'absolute' : 'origin'
  const told = request.bodyIsBase64
    ? { ...request, body: binary(request.body), bodyIsBase64: false }
    : request
  return cut(writeRawRequest(told, { target, contentLength: true }), MAX_REQUEST)
}

function answerText({ request, response }: Exchange): string {
  const told = response.bodyIsBase64
    ? { ...response, body: binary(response.body), bodyIsBase64: false }
    : response
  return cut(writeRawResponse(told, request.version), MAX_ANSWER)
}

function binary(base64: string): string {
  return `(${Math.floor((base64.length * 3) / 4)} bytes that are not text)`
}

function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length)}… (${text.length - length} characters left out)`
}
