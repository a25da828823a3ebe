import type { CrawlContext } from '../crawl-context.ts'
import { mendPage } from '../fill-page.ts'
import type { PageSurvey } from '../page/survey-types.ts'
import type { PageView } from '../page-view.ts'

/** Times what sends a form is tried again, when nothing came of it and the page has changed since. */
const SENDINGS = 3

/** What sends forms on the page of a visit and did not get through: it waits for another value, or for something else. */
export class Sendings {
  readonly #view: PageView
  readonly #context: Pick<CrawlContext, 'states'>
  /** Times each was tried, by the key of its action. */
  readonly #waiting = new Map<string, number>()
  readonly #mendings = new Map<string, number>()

  constructor(view: PageView, context: Pick<CrawlContext, 'states'>) {
    this.#view = view
    this.#context = context
  }

  /** Notes that an action did not get through. `isSure`: it is made for sending; others get one more chance. */
  wait(key: string, isSure: boolean): void {
    if (!this.#waiting.has(key)) this.#waiting.set(key, isSure ? 0 : SENDINGS - 1)
  }

  /** Notes that an action got through. */
  passed(key: string): void {
    this.#waiting.delete(key)
  }

  /** Gives refused fields of the forms other values. @returns what the page shows then */
  mend(survey: PageSurvey, forms: ReadonlySet<number>, rounds?: number): Promise<PageSurvey> {
    return mendPage(this.#view, survey, forms, this.#mendings, rounds)
  }

  /** The page is another one than when forms could not be sent: they may be sent now. */
  retry(location: string, justDone: string): void {
    for (const [key, times] of this.#waiting) {
      if (key === justDone || times >= SENDINGS) continue
      this.#waiting.set(key, times + 1)
      this.#context.states.unmarkDone(location, key)
    }
  }
}
