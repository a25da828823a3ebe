import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { comparesWithSample } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import type { Template } from '../template/index.ts'
import type { EndpointKey, PairResult } from './pair-result.ts'
import type { SessionTools } from './tools.ts'

/**
 * Runs a pair, and once more where an attempt got exactly what the unchanged request gets now, although the test, which
 * compares the two, passed: another test changed the object in between, and the verdict would depend on when it did.
 *
 * @param run with tools that share no answer the second time: the first run may have left it
 * @throws Failure SEND_STOPPED when the run was stopped or is out of time
 */
export async function runSteadily<
  Tools extends Pick<SessionTools, 'sampleOf' | 'startOf' | 'freshAnswer' | 'forgetFresh' | 'send'>,
>(
  template: Template,
  endpoint: EndpointKey,
  tools: Tools,
  run: (tools: Tools) => Promise<PairResult>,
): Promise<PairResult> {
  const first = await run(tools)
  const sample = tools.sampleOf(endpoint)
  if (sample === null || first.outcome !== 'SECURE' || !compares(template)) return first
  const unlike = first.attempts.filter(
    ({ validates, percentageMatch, exchange: { response } }) =>
      !validates && percentageMatch < 100 && isFilledSuccess(response),
  )
  if (unlike.length === 0) return first
  tools.forgetFresh(endpoint)
  const now = await answerNow(endpoint, sample, tools)
  if (!unlike.some(({ exchange }) => exchange.response.body === now?.response.body)) return first
  return run({ ...tools, send: (draft, options) => tools.send(draft, { ...options, mayShare: false }) })
}

/** Null where the target does not answer: then the first verdict stands. */
async function answerNow(
  endpoint: EndpointKey,
  sample: Exchange,
  tools: Pick<SessionTools, 'startOf' | 'freshAnswer'>,
): Promise<Exchange | null> {
  try {
    return await tools.freshAnswer(endpoint, tools.startOf?.(endpoint, sample) ?? draftOf(sample))
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    return null
  }
}

function isFilledSuccess({ status, body }: Exchange['response']): boolean {
  return status >= 200 && status < 300 && body !== ''
}

function compares({ validate, execute }: Template): boolean {
  return [validate, ...execute.steps.map((step) => step.validate)].some(
    (condition) => condition !== null && comparesWithSample(condition),
  )
}
