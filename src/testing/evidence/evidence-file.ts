import { createHash } from 'node:crypto'
import { Failure } from '../../kit/index.ts'
import type { Evidence } from '../records/evidence.ts'
import type { Outcome } from '../run/outcome.ts'
import type { EndpointKey } from '../run/pair-result.ts'
import { checkEvidence, type Misfit } from './check-evidence.ts'

/** Largest file that is read: evidence is bounded by 5 MB, and curl commands repeat its requests. */
export const MAX_EVIDENCE_FILE_BYTES = 32 * 1024 * 1024
/** Version of the form that is written; only this one is read. */
const EVIDENCE_FILE_VERSION = 1
const FORMAT = 'vigil-evidence'

/** One result with everything that proves it, as a file. */
export interface EvidenceFile {
  readonly format: typeof FORMAT
  readonly version: typeof EVIDENCE_FILE_VERSION
  /** Epoch seconds. */
  readonly exportedAt: number
  /** Secrets are masked. */
  readonly isMasked: boolean
  /** Empty when `vigil replay` comes to the recorded verdict; else why it cannot. */
  readonly cannotBeJudged: string
  readonly result: EvidenceResult
  /** YAML of the test, and of tests it borrows from, by id. */
  readonly templates: Readonly<Record<string, string>>
  readonly evidence: Evidence
  /** The requests as commands, in order, and that of the control. */
  readonly curl: { readonly attempts: readonly string[]; readonly control: string | null }
  /** SHA-256 in hex of the file without this entry, as compact JSON. */
  readonly digest: string
}

/** What was found, and where. */
export interface EvidenceResult {
  readonly id: string
  readonly runId: string
  readonly testId: string
  readonly endpoint: EndpointKey
  readonly category: string
  readonly severity: string
  readonly outcome: Outcome
  readonly explanation: string
  /** Epoch seconds. */
  readonly startedAt: number
  readonly endedAt: number
}

/** Completes a file with format, version and digest. */
export function sealEvidenceFile(content: Omit<EvidenceFile, 'format' | 'version' | 'digest'>): EvidenceFile {
  const plain = { format: FORMAT, version: EVIDENCE_FILE_VERSION, ...content } as const
  return { ...plain, digest: digestOf(plain) }
}

/** A file that was read. */
interface ReadEvidenceFile {
  readonly file: EvidenceFile
  /** Its digest does not fit: somebody changed it after it was exported. */
  readonly isEdited: boolean
}

/**
 * Reads a file, no matter who made it.
 *
 * @throws Failure EVIDENCE_UNREADABLE with the reason
 */
export function readEvidenceFile(text: string): ReadEvidenceFile {
  if (Buffer.byteLength(text) > MAX_EVIDENCE_FILE_BYTES)
    throw unreadable(`it is larger than ${MAX_EVIDENCE_FILE_BYTES} bytes`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw unreadable(`it is not JSON, or was cut off: ${(error as Error).message.slice(0, 200)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw unreadable('it is not a JSON object')
  const { format, version } = parsed as Partial<EvidenceFile>
  if (format !== FORMAT) throw unreadable('it is not Vigil evidence')
  if (version !== EVIDENCE_FILE_VERSION)
    throw unreadable(
      `its version is ${String(version).slice(0, 20)}; this Vigil reads ${EVIDENCE_FILE_VERSION}`,
    )
  const misfit: Misfit | null = checkEvidence(parsed)
  if (misfit !== null) throw unreadable(`${misfit.path} ${misfit.problem}`)
  const file = parsed as EvidenceFile
  const { digest, ...rest } = file
  return { file, isEdited: digest !== digestOf(rest) }
}

/** The order of keys is that of the file, which reading and writing JSON both keep. */
function digestOf(content: Omit<EvidenceFile, 'digest'>): string {
  // Through JSON once, so that what JSON leaves out counts neither before nor after.
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

function unreadable(reason: string): Failure {
  return new Failure('EVIDENCE_UNREADABLE', { reason })
}
