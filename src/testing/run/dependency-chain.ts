import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { leavesOf, MessageView } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { Dependencies, requestName } from './dependencies.ts'
import type { EndpointKey } from './pair-result.ts'
import { refreshDraft } from './refresh-draft.ts'
import type { RunTools } from './tools.ts'

/** Requests that one flow repeats for the sake of others. */
const MAX_REPEATED = 30
const MAX_DEPTH = 8

/**
 * Makes requests of a graph plan current: what a recorded request took from answers of others, it takes from their
 * answers of this run, which are asked for in order of dependency. A request whose source does not answer as recorded
 * keeps its recorded value.
 */
export class DependencyChain {
  readonly #dependencies: Dependencies
  readonly #endpoint: EndpointKey
  readonly #tools: RunTools
  readonly #testId: string
  /** Latest answers of this run by the request; null for one that failed. */
  readonly #answers = new Map<string, Exchange | null>()
  #repeated = 0

  constructor(endpoint: EndpointKey, tools: RunTools, testId: string) {
    this.#dependencies = new Dependencies(tools.relatedTo?.(endpoint) ?? [])
    this.#endpoint = endpoint
    this.#tools = tools
    this.#testId = testId
  }

  /** The request of a sample with values of this run. @throws Failure SEND_STOPPED when the run ended meanwhile */
  async startOf(sample: Exchange, depth = 0): Promise<RequestDraft> {
    const changes = new Map<string, string>()
    for (const { producer, path, value } of this.#dependencies.linksOf(sample)) {
      const answer = await this.#answerOf(producer, depth)
      const fresh = answer === null ? undefined : leafAt(answer, path)
      if (fresh !== undefined && fresh !== value) changes.set(value, fresh)
    }
    return refreshDraft(this.#tools.startOf?.(this.#endpoint, sample) ?? draftOf(sample), changes)
  }

  /** The recorded request that reads what a sample is about; null when there is none. */
  readerOf(sample: Exchange): Exchange | null {
    return this.#dependencies.readerOf(sample)
  }

  /** An attempt was sent for a sample: its answer counts, and those of requests that depend on it no longer count. */
  note(sample: Exchange, answered: Exchange): void {
    for (const name of this.#dependencies.dependentsOf(sample)) this.#answers.delete(name)
    this.#answers.set(requestName(sample), answered)
  }

  /** Everything is asked for again. */
  forget(): void {
    this.#answers.clear()
    this.#repeated = 0
  }

  async #answerOf(producer: Exchange, depth: number): Promise<Exchange | null> {
    const name = requestName(producer)
    const known = this.#answers.get(name)
    if (known !== undefined) return known
    if (depth >= MAX_DEPTH || this.#repeated >= MAX_REPEATED) return null
    this.#repeated++
    // Requests that depend on each other in a circle get their recorded values.
    this.#answers.set(name, null)
    const draft = await this.startOf(producer, depth + 1)
    try {
      const { exchange } = await this.#tools.send(draft, {
        followRedirects: false,
        testId: this.#testId,
        endpoint: this.#endpoint,
      })
      this.#answers.set(name, exchange.response.status < 300 ? exchange : null)
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    }
    return this.#answers.get(name) ?? null
  }
}

function leafAt(answer: Exchange, path: string): string | undefined {
  const { value } =
    leavesOf(new MessageView(answer).responseBody.json).find((leaf) => leaf.path === path) ?? {}
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
