import type { Exchange } from '../../http/index.ts'
import { maskTape } from '../evidence/mask-tape.ts'
import type { Tape } from '../evidence/tape.ts'
import type { AttemptRecord, PairResult } from '../run/pair-result.ts'
import type { SecretMask } from './mask-secrets.ts'

/** Bytes of kept evidence. */
export const MAX_EVIDENCE_BYTES = 5_000_000
/** Characters of the body in the message of a list. */
const LIST_BODY_LENGTH = 50
/** Characters that a body is cut to when the evidence is too large even so. */
const CUT_BODY_LENGTH = 20_000

/** Everything that proves a result. */
export type Evidence = Pick<
  PairResult,
  'baseline' | 'attempts' | 'control' | 'identities' | 'callbackIds' | 'selection'
> & {
  /** What it takes to judge the result again; null when it is not kept. */
  readonly tape: Tape | null
}

/** Evidence as it is kept. */
export interface KeptEvidence {
  /** JSON text of an {@link Evidence}, at most 5,000,000 bytes in UTF-8. */
  readonly text: string
  /** Attempts or ends of bodies were left out. */
  readonly isTruncated: boolean
  /** The secret behind each mask. */
  readonly secrets: ReadonlyMap<string, string>
}

/**
 * The evidence of a result, masked and bounded. When it is too large, attempts that show nothing are left out from the
 * end, then bodies are cut; what proves a finding is the last to go.
 */
export function keepEvidence(pair: PairResult, mask: SecretMask): KeptEvidence {
  const { value: whole, secrets } = mask.noting(
    (): Evidence => ({
      baseline: pair.baseline && mask.exchange(pair.baseline),
      attempts: pair.attempts.map((attempt) => maskAttempt(attempt, mask)),
      control: pair.control && {
        ...pair.control,
        attempt: pair.control.attempt && maskAttempt(pair.control.attempt, mask),
      },
      identities: pair.identities,
      callbackIds: pair.callbackIds,
      selection: pair.selection,
      tape: pair.tape === undefined ? null : maskTape(pair.tape, mask),
    }),
  )
  const text = JSON.stringify(whole)
  if (Buffer.byteLength(text) <= MAX_EVIDENCE_BYTES) return { text, isTruncated: false, secrets }
  // What was cut cannot be judged again.
  return { text: shorten({ ...whole, tape: null }), isTruncated: true, secrets }
}

function maskAttempt(attempt: AttemptRecord, mask: SecretMask): AttemptRecord {
  return { ...attempt, exchange: mask.exchange(attempt.exchange) }
}

function shorten(whole: Evidence): string {
  const sizes = new Map(
    whole.attempts.map((attempt) => [attempt, Buffer.byteLength(JSON.stringify(attempt)) + 1]),
  )
  let size = Buffer.byteLength(JSON.stringify(whole))
  const kept = [...whole.attempts]
  for (let at = kept.length - 1; at >= 0 && size > MAX_EVIDENCE_BYTES; at--) {
    if (kept[at]!.validates) continue
    size -= sizes.get(kept[at]!)!
    kept.splice(at, 1)
  }
  if (size <= MAX_EVIDENCE_BYTES) return JSON.stringify({ ...whole, attempts: kept })
  const cut: Evidence = {
    ...whole,
    baseline: whole.baseline && cutBodies(whole.baseline),
    attempts: kept.map((attempt) => ({
      ...attempt,
      exchange: cutBodies(attempt.exchange),
      isTruncated: true,
    })),
    control: whole.control && {
      ...whole.control,
      attempt: whole.control.attempt && {
        ...whole.control.attempt,
        exchange: cutBodies(whole.control.attempt.exchange),
        isTruncated: true,
      },
    },
  }
  const text = JSON.stringify(cut)
  if (Buffer.byteLength(text) <= MAX_EVIDENCE_BYTES) return text
  // Many large findings, or trees of reasons beyond all measure: the first finding alone.
  const first = cut.attempts.slice(0, 1).map((attempt) => ({ ...attempt, reasons: null }))
  return JSON.stringify({ ...cut, attempts: first, control: null, selection: null })
}

function cutBodies(exchange: Exchange): Exchange {
  return {
    ...exchange,
    request: { ...exchange.request, body: exchange.request.body.slice(0, CUT_BODY_LENGTH) },
    response: { ...exchange.response, body: exchange.response.body.slice(0, CUT_BODY_LENGTH) },
  }
}

/** The attempt that stands for a result in lists: the one that proved it, else the last one. */
export function shownAttempt(pair: Pick<PairResult, 'attempts'>): AttemptRecord | null {
  return pair.attempts.find((attempt) => attempt.validates) ?? pair.attempts.at(-1) ?? null
}

/** An attempt as JSON text for lists: request line and the start of the answer. */
export function listMessage(attempt: AttemptRecord, mask: SecretMask): string {
  const { request, response } = attempt.exchange
  return JSON.stringify({
    request: { url: mask.text(request.target), method: request.method },
    response: {
      statusCode: response.status,
      body: response.bodyIsBase64 ? '' : mask.text(response.body).slice(0, LIST_BODY_LENGTH),
    },
  })
}
