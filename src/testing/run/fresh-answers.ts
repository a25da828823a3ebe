import type { Exchange } from '../../http/index.ts'
import { Failure, nowMs } from '../../kit/index.ts'
import { type EndpointKey, endpointText } from './pair-result.ts'

/** How long an answer counts as fresh. */
const FRESH_MS = 3_000

interface Answered {
  readonly at: number
  readonly answer: Promise<Exchange>
}

/** Answers to unchanged samples, asked for once for all tests that need them at the same time. */
export class FreshAnswers {
  readonly #answers = new Map<string, Map<unknown, Answered>>()

  /**
   * @param request tells the requests of an endpoint apart, such as its sample
   * @param freshMs how old an answer may be
   */
  of(
    endpoint: EndpointKey,
    request: unknown,
    ask: () => Promise<Exchange>,
    freshMs = FRESH_MS,
  ): Promise<Exchange> {
    const key = endpointText(endpoint)
    const answers = this.#answers.get(key) ?? new Map<unknown, Answered>()
    this.#answers.set(key, answers)
    const known = answers.get(request)
    if (known !== undefined && nowMs() - known.at < freshMs)
      return joined(known.answer, () => this.of(endpoint, request, ask, freshMs))
    const answer = ask()
    answer.catch(() => answers.delete(request))
    answers.set(request, { at: nowMs(), answer })
    return answer
  }

  /** What the endpoint answered no longer counts: somebody else is asking. */
  forget(endpoint: EndpointKey): void {
    this.#answers.delete(endpointText(endpoint))
  }
}

/** An answer that another test is asking for. It ends with that test, so it is then asked for again. */
export function joined<T>(answer: Promise<T>, askAgain: () => Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'SEND_STOPPED') return askAgain()
    throw error
  })
}
