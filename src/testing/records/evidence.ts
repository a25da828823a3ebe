import type { Exchange } from '../../http/index.ts'
import { mapTexts, maskTape } from '../evidence/mask-tape.ts'
import type { Tape } from '../evidence/tape.ts'
import type { AttemptRecord, PairResult } from '../run/pair-result.ts'
import { type SecretMask, withoutCutSecrets } from './mask-secrets.ts'

/** Bytes of kept evidence. */
const MAX_EVIDENCE_BYTES = 5_000_000
/** Secrets that are looked for in reasons; a shorter one is found everywhere, a longer text is a whole body. */
const MIN_IN_REASONS = 6
const MAX_IN_REASONS = 4_000
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
interface KeptEvidence {
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
  mask.scan(messagesOf(pair))
  const { value: messages, secrets } = mask.noting((): Evidence => {
    const { baseline, attempts, control, identities, callbackIds, selection, tape } = pair
    return {
      baseline: baseline && mask.exchange(baseline),
      attempts: attempts.map((attempt) => maskAttempt(attempt, mask)),
      control: control && { ...control, attempt: control.attempt && maskAttempt(control.attempt, mask) },
      identities,
      callbackIds,
      selection,
      tape: tape === undefined ? null : maskTape(tape, mask),
    }
  })
  const whole = withMaskedReasons(messages, secrets)
  const text = JSON.stringify(whole)
  if (Buffer.byteLength(text) <= MAX_EVIDENCE_BYTES) return { text, isTruncated: false, secrets }
  // What was cut cannot be judged again.
  return { text: shorten({ ...whole, tape: null }), isTruncated: true, secrets }
}

/** The explanation of a result without what its messages must not show. */
export function maskExplanation(pair: PairResult, mask: SecretMask): string {
  mask.scan(messagesOf(pair))
  return mask.excerpt(pair.explanation)
}

/** Reasons show parts of messages: what was masked in these is masked in them. */
function withMaskedReasons(evidence: Evidence, secrets: ReadonlyMap<string, string>): Evidence {
  const known = [...secrets]
    .filter(([, secret]) => secret.length >= MIN_IN_REASONS && secret.length <= MAX_IN_REASONS)
    .sort(([, a], [, b]) => b.length - a.length)
  const masked = (text: string): string => {
    const whole = known.reduce(
      (rest, [mask, secret]) => (rest.includes(secret) ? rest.replaceAll(secret, () => mask) : rest),
      text,
    )
    return withoutCutSecrets(
      whole,
      known.map(([, secret]) => secret),
    )
  }
  const { attempts, control, selection } = evidence
  const ofAttempt = (attempt: AttemptRecord): AttemptRecord => ({
    ...attempt,
    reasons: mapTexts(attempt.reasons, masked),
  })
  return {
    ...evidence,
    attempts: attempts.map(ofAttempt),
    control: control && {
      ...control,
      attempt: control.attempt && ofAttempt(control.attempt),
      explanation: masked(control.explanation),
    },
    selection: mapTexts(selection, masked),
  }
}

/** Every message of a result. */
function messagesOf({ baseline, attempts, control }: PairResult): Exchange[] {
  const all = [baseline, ...attempts.map(({ exchange }) => exchange), control?.attempt?.exchange]
  return all.filter((message) => message !== null && message !== undefined)
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
  // Many large findings, or huge trees of reasons: only the first finding.
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

/** The attempt that stands for a result in lists: the one that proved a finding, else the last one. */
export function shownAttempt({
  attempts,
  outcome,
}: Pick<PairResult, 'attempts' | 'outcome'>): AttemptRecord | null {
  const proof = outcome === 'SECURE' ? undefined : attempts.find((attempt) => attempt.validates)
  return proof ?? attempts.at(-1) ?? null
}

/** An attempt as JSON text for lists: request line and the start of the answer. */
export function listMessage(attempt: AttemptRecord, mask: SecretMask): string {
  const { request, response } = attempt.exchange
  mask.scan([attempt.exchange])
  return JSON.stringify({
    request: { url: mask.text(request.target), method: request.method },
    response: {
      statusCode: response.status,
      body: response.bodyIsBase64 ? '' : mask.text(response.body).slice(0, LIST_BODY_LENGTH),
    },
  })
}
