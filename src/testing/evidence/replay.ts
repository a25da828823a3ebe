import { Failure } from '../../kit/index.ts'
import type { Evidence } from '../records/evidence.ts'
import type { Outcome } from '../run/outcome.ts'
import type { EndpointKey, PairResult } from '../run/pair-result.ts'
import { runPair } from '../run/run-pair.ts'
import { parseTemplate, type Template } from '../template/index.ts'
import { templateDigest } from './record-tape.ts'
import { replayTools, TapeEnded } from './replay-tools.ts'

/** What a test came to when it was judged again. */
export interface Replay {
  readonly outcome: Outcome
  readonly explanation: string
  /** Requests whose answer validates now. */
  readonly validating: number
}

/** What judging again needs. */
interface ReplayInput {
  readonly testId: string
  readonly endpoint: EndpointKey
  readonly evidence: Evidence
  /** YAML of the templates on the tape, by id. */
  readonly templates: Readonly<Record<string, string>>
}

/**
 * Judges a test again with the engine of the product, from what it got then. Nothing is sent.
 *
 * @throws Failure EVIDENCE_CANNOT_BE_JUDGED with the reason
 */
export async function replay(input: ReplayInput): Promise<Replay> {
  const { evidence, endpoint, testId } = input
  const { tape } = evidence
  if (tape === null)
    throw cannotJudge('it holds no record of what was asked: it was cut, or nothing was judged')
  const templates = templatesOn(input, tape.templates)
  const template = templates.get(testId)
  if (template === undefined) throw cannotJudge(`the template ${testId} is missing`)
  const tools = replayTools(evidence, tape, templates, template.execute.type === 'parallel')
  let result: PairResult
  try {
    result = await runPair(template, endpoint, tools)
  } catch (error) {
    if (error instanceof TapeEnded) throw cannotJudge(error.message)
    throw error
  }
  return {
    outcome: result.outcome,
    explanation: result.explanation,
    validating: result.attempts.filter((attempt) => attempt.validates).length,
  }
}

function templatesOn(
  { templates }: ReplayInput,
  digests: Readonly<Record<string, string>>,
): Map<string, Template> {
  const read = new Map<string, Template>()
  for (const [id, digest] of Object.entries(digests)) {
    const source = Object.hasOwn(templates, id) ? templates[id]! : null
    if (source === null) throw cannotJudge(`the template ${id} is missing`)
    if (templateDigest(source) !== digest) throw cannotJudge(`the template ${id} is not the one that was run`)
    const { template, problems } = parseTemplate(source, id)
    if (template === null)
      throw cannotJudge(`the template ${id} cannot be read: ${problems[0]?.message ?? 'it is empty'}`)
    read.set(id, template)
  }
  return read
}

function cannotJudge(reason: string): Failure {
  return new Failure('EVIDENCE_CANNOT_BE_JUDGED', { reason })
}
