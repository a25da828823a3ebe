import { evaluate, MessageView, type Reason, Variables } from '../../rules/index.ts'
import { ATTACKER_ROLE } from '../attempts/index.ts'
import type { Obstacle } from '../run/outcome.ts'
import type { EndpointKey, PairResult } from '../run/pair-result.ts'
import type { RunTools } from '../run/tools.ts'
import type { Template } from '../template/index.ts'

/** A test to run on an endpoint. */
export interface PlannedPair {
  readonly endpoint: EndpointKey
  readonly testId: string
}

/** A test that is not run on an endpoint, and why. */
export interface LeftOut extends PlannedPair {
  readonly category: string
  readonly code: Obstacle
  readonly explanation: string
  readonly reasons: Reason | null
}

/** What a run will do: the pairs in order, endpoint by endpoint, and those left out. */
export interface Plan {
  readonly pairs: readonly PlannedPair[]
  readonly leftOut: readonly LeftOut[]
}

/** What planning needs to know of the installation beside the samples. */
export interface PlanFacts {
  readonly roles: ReadonlySet<string>
  readonly hasCallbacks: boolean
}

/**
 * Pairs endpoints with templates and judges each selection on the sample. Nothing is sent.
 *
 * @param endpoints each once; their order is that of the run
 */
export function planRun(
  endpoints: readonly EndpointKey[],
  templates: readonly Template[],
  tools: Pick<RunTools, 'sampleOf' | 'wordsFor' | 'lookups'>,
  facts: PlanFacts,
): Plan {
  const pairs: PlannedPair[] = []
  const leftOut: LeftOut[] = []
  const onceIn = new Set<string>()
  for (const endpoint of endpoints) {
    const exchange = tools.sampleOf(endpoint)
    const sample = exchange === null ? null : new MessageView(exchange)
    for (const template of templates) {
      const leave = (code: Obstacle, explanation: string, reasons: Reason | null = null): void => {
        leftOut.push({
          endpoint,
          testId: template.id,
          category: template.info.category.name,
          code,
          explanation,
          reasons,
        })
      }
      if (sample === null) {
        leave('NO_PATH', 'The endpoint has no sample.')
        continue
      }
      const lacking = lackOf(template, facts)
      if (lacking !== null) {
        leave('ROLE_NOT_FOUND', lacking)
        continue
      }
      const judgement = evaluate(template.filters, {
        phase: 'filter',
        endpoint,
        sample,
        attempt: null,
        variables: new Variables(tools.wordsFor(template, endpoint)),
        lookups: tools.lookups,
      })
      if (!judgement.holds) {
        leave(
          'SKIPPING_EXECUTION_BECAUSE_FILTERS',
          'The test does not apply to the endpoint.',
          judgement.reasons,
        )
        continue
      }
      if (template.strategy.runOnce) {
        const claim = `${endpoint.collectionId} ${template.id}`
        if (onceIn.has(claim)) {
          leave(
            'SKIPPING_EXECUTION_BECAUSE_FILTERS',
            'The test runs once in a collection, on another endpoint.',
          )
          continue
        }
        onceIn.add(claim)
      }
      pairs.push({ endpoint, testId: template.id })
    }
  }
  return { pairs, leftOut }
}

/** What of the configuration a template needs and the installation lacks, as a sentence; null when nothing. */
export function lackOf(template: Template, facts: PlanFacts): string | null {
  for (const need of template.needs) {
    if (need.kind === 'attacker' && !facts.roles.has(ATTACKER_ROLE))
      return `The test needs a second identity: add credentials to the role ${ATTACKER_ROLE}.`
    if (need.kind === 'role' && !facts.roles.has(need.role))
      return `The test needs credentials of the role ${need.role}: add them to the role.`
    if (need.kind === 'callback' && !facts.hasCallbacks)
      return 'The test needs the call-back listener: set VIGIL_CALLBACK_PORT.'
    if (need.kind === 'model' || need.kind === 'agent' || need.kind === 'language model target')
      return 'The test needs a language model, which Vigil does not use.'
  }
  return null
}

/** The result of a pair that was left out, for the record. */
export function lackResult(pair: LeftOut, atMs: number): PairResult {
  return {
    endpoint: pair.endpoint,
    testId: pair.testId,
    category: pair.category,
    severity: 'INFO',
    outcome: pair.code,
    explanation: pair.explanation,
    baseline: null,
    attempts: [],
    control: null,
    identities: [],
    callbackIds: [],
    selection: pair.reasons,
    startedAtMs: atMs,
    endedAtMs: atMs,
  }
}
