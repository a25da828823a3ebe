import { writeCurl } from '../../http/index.ts'
import { Failure, nowSeconds, type Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type Evidence,
  type EvidenceFile,
  isConclusive,
  mapTexts,
  type Outcome,
  type ResultDetail,
  replay,
  sealEvidenceFile,
  templateSources,
} from '../../testing/index.ts'

/** Purpose under which what the masks in the evidence of a result stand for is sealed. */
export function evidencePurpose(resultId: string): string {
  return `evidence:${resultId}`
}

/**
 * The evidence of a result as a file. It is judged again before it is given out, so that it says itself when it cannot
 * be.
 *
 * @throws Failure TEST_EVIDENCE_GONE, SEAL_BROKEN
 */
export async function exportEvidence(
  store: Store,
  sealer: Sealer,
  result: ResultDetail,
  isUnmasked: boolean,
): Promise<EvidenceFile> {
  if (result.evidence === null) throw new Failure('TEST_EVIDENCE_GONE')
  const masked = JSON.parse(result.evidence) as Evidence
  const kept: Evidence = { ...masked, tape: masked.tape ?? null }
  const evidence = isUnmasked ? withSecrets(kept, sealer, result) : kept
  const templates = await templatesOf(store, evidence)
  const outcome = result.outcome as Outcome
  const endpoint = { collectionId: result.collectionId, method: result.method, url: result.url }
  return sealEvidenceFile({
    exportedAt: nowSeconds(),
    isMasked: !isUnmasked,
    cannotBeJudged: await obstacleTo({ testId: result.testId, endpoint, evidence, templates }, outcome),
    result: {
      id: result.id,
      runId: result.runId,
      testId: result.testId,
      endpoint,
      category: result.category,
      severity: result.severity,
      outcome,
      explanation: result.explanation,
      startedAt: result.startedAt,
      endedAt: result.endedAt,
    },
    templates,
    evidence,
    curl: {
      attempts: evidence.attempts.map(({ exchange }) => writeCurl(exchange.request)),
      control: evidence.control?.attempt ? writeCurl(evidence.control.attempt.exchange.request) : null,
    },
  })
}

/** The evidence with what its masks stand for; longer masks first, for one may begin with another. */
function withSecrets(evidence: Evidence, sealer: Sealer, { id, sealedSecrets }: ResultDetail): Evidence {
  if (sealedSecrets === null) return evidence
  const pairs = JSON.parse(sealer.open(sealedSecrets, evidencePurpose(id))) as [string, string][]
  const longestFirst = pairs.sort(([a], [b]) => b.length - a.length)
  return mapTexts(evidence, (text) =>
    longestFirst.reduce(
      (rest, [mask, secret]) => (rest.includes(mask) ? rest.replaceAll(mask, () => secret) : rest),
      text,
    ),
  )
}

async function templatesOf(store: Store, { tape }: Evidence): Promise<Record<string, string>> {
  const digests = Object.entries(tape?.templates ?? {})
  const sources = await templateSources(
    store,
    digests.map(([, digest]) => digest),
  )
  return Object.fromEntries(
    digests.flatMap(([id, digest]) => {
      const source = sources.get(digest)
      return source === undefined ? [] : [[id, source]]
    }),
  )
}

/** Why judging the evidence again does not lead to the recorded outcome; empty when it does. */
async function obstacleTo(input: Parameters<typeof replay>[0], recorded: Outcome): Promise<string> {
  if (!isConclusive(recorded) && recorded !== 'UNCONFIRMED') return `there is no verdict: ${recorded}`
  try {
    const { outcome } = await replay(input)
    return outcome === recorded
      ? ''
      : `with what it holds the verdict would be ${outcome}; ask for it unmasked`
  } catch (error) {
    if (error instanceof Failure) return String(error.details['reason'] ?? error.code)
    throw error
  }
}
