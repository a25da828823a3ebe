import { type EvidenceResult, type Replay, readEvidenceFile, replay } from '../../testing/index.ts'

/** A file of evidence that was judged again. */
interface JudgedEvidence {
  readonly recorded: EvidenceResult
  readonly judged: Replay
  /** Somebody changed the file after it was exported. */
  readonly isEdited: boolean
}

/**
 * Judges the text of a file of evidence again, with nothing but the file.
 *
 * @throws Failure EVIDENCE_UNREADABLE, EVIDENCE_CANNOT_BE_JUDGED with the reason
 */
export async function judgeEvidenceFile(text: string): Promise<JudgedEvidence> {
  const { file, isEdited } = readEvidenceFile(text)
  const { result, evidence, templates } = file
  const judged = await replay({ testId: result.testId, endpoint: result.endpoint, evidence, templates })
  return { recorded: result, judged, isEdited }
}
