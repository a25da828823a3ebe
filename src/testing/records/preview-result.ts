import { newHexId } from '../../kit/index.ts'
import { isGenerated } from '../run/generated.ts'
import type { PairResult } from '../run/pair-result.ts'
import { keepEvidence, listMessage, shownAttempt } from './evidence.ts'
import type { ResultDetail } from './list-results.ts'
import type { SecretMask } from './mask-secrets.ts'
import { errorsOf, selectionOf } from './result-selection.ts'

/** A result as it would be read from the store, of a test that was only tried: nothing is stored. */
export function previewResult(pair: PairResult, mask: SecretMask): ResultDetail {
  const id = newHexId()
  const shown = shownAttempt(pair)
  const { text, isTruncated } = keepEvidence(pair, mask)
  return {
    id,
    runId: id,
    summaryId: id,
    testId: pair.testId,
    collectionId: pair.endpoint.collectionId,
    method: pair.endpoint.method,
    url: pair.endpoint.url,
    category: pair.category,
    outcome: pair.outcome,
    selection: selectionOf(pair.outcome),
    severity: pair.severity,
    explanation: mask.text(pair.explanation),
    errors: errorsOf(pair),
    message: shown && listMessage(shown, mask),
    statusCode: shown?.exchange.response.status ?? null,
    percentageMatch: shown?.percentageMatch ?? 0,
    attemptsCount: pair.attempts.length,
    isRerun: false,
    startedAt: Math.floor(pair.startedAtMs / 1000),
    endedAt: Math.floor(pair.endedAtMs / 1000),
    issueStatus: null,
    issueSeverity: null,
    issueDescription: null,
    ticketUrl: null,
    causeKey: id,
    isGenerated: isGenerated(pair.baseline),
    evidence: text,
    isTruncated,
    sealedSecrets: null,
  }
}
