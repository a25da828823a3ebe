import type { Exchange } from '../../http/index.ts'
import { evaluate, type Judgement, MessageView, type Reason, Variables } from '../../rules/index.ts'
import { ATTACKER_ROLE } from '../attempts/index.ts'
import { type Obstacle, overBudgetSentence } from '../run/outcome.ts'
import type { EndpointKey, PairResult } from '../run/pair-result.ts'
import { NO_SAMPLE, type SampleLack } from '../run/sample-shelf.ts'
import type { RunTools, SessionTools } from '../run/tools.ts'
import type { Template } from '../template/index.ts'

/** A test to run on an endpoint. */
export interface PlannedPair {
  readonly endpoint: EndpointKey
  readonly testId: string
}

/** A test that is not run on an endpoint, and why. */
interface LeftOut extends PlannedPair {
  readonly category: string
  readonly code: Obstacle
  readonly explanation: string
  readonly reasons: Reason | null
}

/** What a run will do: the pairs in order, endpoint by endpoint, and those left out. */
interface Plan {
  readonly pairs: readonly PlannedPair[]
  readonly leftOut: readonly LeftOut[]
}

/** What planning needs to know of the installation beside the samples. */
interface PlanFacts {
  readonly roles: ReadonlySet<string>
  readonly hasCallbacks: boolean
  /** Why an endpoint without a sample has none. */
  readonly lackOfSample?: (endpoint: EndpointKey) => SampleLack
}

type PlanTools = Pick<RunTools, 'sampleOf' | 'wordsFor' | 'lookups'> &
  Partial<Pick<SessionTools, 'samplesFor' | 'withSample'>>

/**
 * Pairs endpoints with templates and judges each selection on the sample. Nothing is sent.
 *
 * @param endpoints each once; their order is that of the run
 */
export function planRun(
  endpoints: readonly EndpointKey[],
  templates: readonly Template[],
  tools: PlanTools,
  facts: PlanFacts,
): Plan {
  const pairs: PlannedPair[] = []
  const leftOut: LeftOut[] = []
  const onceIn = new Set<string>()
  for (const endpoint of endpoints) {
    const views = new ViewsOf()
    const isRecorded = tools.sampleOf(endpoint) !== null
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
      if (!isRecorded) {
        const { code, explanation } = facts.lackOfSample?.(endpoint) ?? NO_SAMPLE
        leave(code, explanation)
        continue
      }
      const lacking = lackOf(template, facts)
      if (lacking !== null) {
        leave('ROLE_NOT_FOUND', lacking)
        continue
      }
      const judgement = selectionOnAny(template, endpoint, views, tools)
      if (typeof judgement === 'string') {
        leave('TEST_TIMED_OUT', judgement)
        continue
      }
      if (!judgement.holds) {
        leave('SKIPPING_EXECUTION_BECAUSE_FILTERS', judgement.decision, judgement.reasons)
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

/** Views of samples, each made once. */
class ViewsOf {
  readonly #views = new Map<Exchange, MessageView>()

  of(sample: Exchange): MessageView {
    const view = this.#views.get(sample) ?? new MessageView(sample)
    this.#views.set(sample, view)
    return view
  }
}

/** Whether a test applies to one of the samples that it can start from; else the judgement on the first of them. */
function selectionOnAny(
  template: Template,
  endpoint: EndpointKey,
  views: ViewsOf,
  tools: PlanTools,
): Judgement | string {
  const samples = tools.samplesFor?.(template, endpoint) ?? []
  let first: Judgement | string | null = null
  for (const sample of samples) {
    const judgement = selection(template, endpoint, views.of(sample), tools.withSample!(endpoint, sample))
    if (typeof judgement !== 'string' && judgement.holds) return judgement
    first ??= judgement
  }
  return first ?? selection(template, endpoint, views.of(tools.sampleOf(endpoint)!), tools)
}

/** Whether a test applies to an endpoint; a sentence when that could not be found out in time. */
function selection(
  template: Template,
  endpoint: EndpointKey,
  sample: MessageView,
  tools: PlanTools,
): Judgement | string {
  try {
    return evaluate(template.filters, {
      phase: 'filter',
      endpoint,
      sample,
      attempt: null,
      variables: new Variables(tools.wordsFor(template, endpoint)),
      lookups: tools.lookups,
    })
  } catch (error) {
    const sentence = overBudgetSentence(error)
    if (sentence === null) throw error
    return sentence
  }
}

/** What of the configuration a template needs and the installation lacks, as a sentence; null when nothing. */
export function lackOf(template: Template, facts: PlanFacts): string | null {
  for (const need of template.needs) {
    if (need.kind === 'attacker' && !facts.roles.has(ATTACKER_ROLE))
      return `The test needs a second identity: add credentials to the role ${ATTACKER_ROLE}.`
    if (need.kind === 'role' && !facts.roles.has(need.role))
      return `The test needs credentials of the role ${need.role}: add them to the role.`
    if (need.kind === 'callback' && !facts.hasCallbacks)
      return 'The test needs the callback listener: set VIGIL_CALLBACK_PORT.'
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
