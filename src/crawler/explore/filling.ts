import { isWokenBy } from './choose-action.ts'
import type { CrawlContext } from './crawl-context.ts'
import { fillPage } from './fill-page.ts'
import { actionLook } from './fingerprint.ts'
import type { Sendings } from './forms/sendings.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** Times a survey is filled, when filling brings other fields to light. */
const FILLINGS = 3

/** What was filled in on the page that a visit shows, until it goes to another one. */
export class Filling {
  readonly #view: PageView
  readonly #sendings: Sendings
  readonly #context: CrawlContext
  #filled = new Set<string>()
  #at = ''
  /** Forms that were filled in. */
  forms: ReadonlySet<number> = new Set()
  /** Looks of elements that filling has brought to light or enabled. */
  woken: ReadonlySet<string> = new Set()

  constructor(view: PageView, sendings: Sendings, context: CrawlContext) {
    this.#view = view
    this.#sendings = sendings
    this.#context = context
  }

  /** Fills what can be filled, and what comes to light by that. @returns what the page shows then */
  async fill(survey: PageSurvey, location: string): Promise<PageSurvey> {
    if (location !== this.#at) this.forget(location)
    const before = new Set(survey.actions.map(actionLook))
    let filled = survey
    for (let round = 0; round < FILLINGS; round++) {
      const forms = await fillPage(this.#view, filled, this.#filled, this.#context)
      if (forms.size === 0) return filled
      await this.#view.page.quiet({ quietMs: 100, capMs: 700 })
      filled = await this.#sendings.mend(await this.#view.survey(), forms)
      this.forms = new Set([...this.forms, ...forms])
      const woken = filled.actions.filter((action) => isWokenBy(action, before)).map(actionLook)
      this.woken = new Set([...this.woken, ...woken])
    }
    return filled
  }

  /** Fields of another page are others, even in the same positions. */
  forget(location = ''): void {
    this.#at = location
    this.#filled = new Set()
    this.forms = new Set()
    this.woken = new Set()
  }
}
