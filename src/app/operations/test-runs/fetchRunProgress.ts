import { Failure, nowSeconds } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import { checkProgress, findExecution, hostProgress } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { RecentAnswers } from '../../recent-answers.ts'
import { readHexId } from './hex-id.ts'
import { wireRow } from './wire-coverage.ts'

interface Question {
  readonly summaryId: string
  /** Collections that the caller may see; null for all. */
  readonly visible: readonly number[] | null
  readonly skip: number
  readonly limit: number
}

/** Of executions that run: everyone who looks at one asks every two seconds. */
const recent = new WeakMap<Store, RecentAnswers<Awaited<ReturnType<typeof count>>>>()

/** How far an execution is. */
export const fetchRunProgress: Handler<'fetchRunProgress'> = async (input, { app, caller }) => {
  const { store } = app
  const id = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const execution = await findExecution(store, id, caller.collectionIds)
  if (execution === undefined) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
  const isRunning = execution.state === 'RUNNING'
  const { limit } = input
  const question = { summaryId: id, visible: caller.collectionIds, skip: Math.max(0, input.skip), limit }
  const { at, hosts, ...progress } = isRunning
    ? await countOften(store, question)
    : await count(store, question)
  const { planned, done } = progress
  const since = Math.max(1, Math.min(60, at - execution.startedAt))
  return {
    ...progress,
    rows: progress.rows.map(wireRow),
    requests: hosts.reduce((sum, host) => sum + host.requests, 0),
    requestsPerSecond: isRunning ? hosts.reduce((sum, host) => sum + host.recent, 0) / since : 0,
    secondsLeft: isRunning ? secondsLeft(planned, done, at - execution.startedAt) : null,
    hosts: hosts.map(({ recent: _, ...host }) => host),
  }
}

function countOften(store: Store, question: Question): ReturnType<typeof count> {
  const answers = recent.get(store) ?? new RecentAnswers()
  recent.set(store, answers)
  return answers.of(JSON.stringify(question), () => count(store, question))
}

async function count(store: Store, { summaryId, visible, skip, limit }: Question) {
  const at = nowSeconds()
  const [hosts, checks] = await Promise.all([
    hostProgress(store, summaryId, at),
    checkProgress(store, summaryId, visible, { skip, limit }),
  ])
  return { ...checks, hosts, at }
}

/** From the checks done so far; null before one is. */
function secondsLeft(planned: number, done: number, seconds: number): number | null {
  return done === 0 || planned === 0 ? null : Math.ceil((seconds / done) * Math.max(0, planned - done))
}
