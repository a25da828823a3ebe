import type { CrawlContext } from './crawl-context.ts'
import { discardChanges, leaveDialog } from './dismiss-dialog.ts'
import { fingerprintOf } from './fingerprint.ts'
import { isRouteHash, locationKey } from './locations.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** Times a visit tries to have its page made anew by the router, when that did not help. */
const FAILED_REROUTES = 2

/** The page of a visit as it was shown. */
export interface ShownPage {
  readonly survey: PageSurvey
  /** Exact looks before anything was filled in, and after. */
  readonly fresh: string
  readonly filled: string
  readonly filledForms: ReadonlySet<number>
  readonly woken: ReadonlySet<string>
}

/** Ways back to the page of a visit. Loading it is what costs most, so that comes last. */
export class ReturnToPage {
  readonly #view: PageView
  readonly #url: string
  readonly #location: string
  readonly #context: CrawlContext
  #failedReroutes = 0

  constructor(
    view: PageView,
    home: { readonly url: string; readonly location: string },
    context: CrawlContext,
  ) {
    this.#view = view
    this.#url = home.url
    this.#location = home.location
    this.#context = context
  }

  /** Loads the page anew. @returns whether it is there */
  async load(): Promise<boolean> {
    const { page } = this.#view
    // A change of the fragment alone would leave the document as it is.
    if (this.#url.includes('#') && this.#isInDocument) await page.goto('about:blank', { deadlineMs: 5_000 })
    this.#context.counts.loads++
    const started = performance.now()
    const visit = await page.goto(this.#url, { deadlineMs: 15_000 })
    if (visit.problem !== null && visit.problem !== 'deadline') return false
    await page.quiet({ quietMs: 200, capMs: 3000, sinceMs: started })
    this.#view.restartSteps()
    return true
  }

  /**
   * Goes back without loading.
   *
   * @param shown what the page showed before; null where nobody looked
   * @returns what it shows now; null when it has to be loaded
   */
  async withinDocument(shown: ShownPage | null): Promise<PageSurvey | null> {
    if (shown !== null && (await this.#stepBack())) return this.#view.survey()
    return (
      (await this.#reroute(shown)) ??
      (await this.#context.softly.toKnown(this.#view, this.#url, this.#location, this.#context))
    )
  }

  /** Where only the router of the page moved, it moves back. @returns whether it helped */
  async #stepBack(): Promise<boolean> {
    const { page } = this.#view
    const steps = this.#view.stepsInDocument
    if (!(steps >= 1 && steps <= 3) || this.#isHome) return false
    const started = performance.now()
    await page.evaluate(`void history.go(-${steps})`, { isolated: true })
    await page.quiet({ quietMs: 150, capMs: 1500, sinceMs: started })
    if (!this.#isHome && (await discardChanges(this.#view, this.#context)))
      await page.quiet({ quietMs: 200, capMs: 1500 })
    this.#view.restartSteps()
    return this.#isHome
  }

  /**
   * Closes what was opened on the page: most of it goes away with a key, and some only by a button.
   *
   * @param isEnough tells whether what the page shows will do, although it is not what it showed
   * @returns what the page shows then; null when that was not all
   */
  async closeWhatOpened(
    shown: ShownPage,
    isEnough: (survey: PageSurvey) => boolean,
  ): Promise<PageSurvey | null> {
    const { page } = this.#view
    if (!this.#isHome) return null
    for (let time = 0; time < 3; time++) {
      if (time < 2) await page.input.press('Escape')
      else if (!(await leaveDialog(this.#view, this.#context))) return null
      await page.quiet({ quietMs: 150, capMs: 800 })
      const survey = await this.#view.survey()
      const isAsShown = fingerprintOf(survey).exact === shown.filled
      if (this.#isHome && (isAsShown || isEnough(survey))) return survey
    }
    return null
  }

  /**
   * Goes to the page by the router of its document, where that is in the fragment: coming from another route it makes the
   * page anew; on this one it would leave dialogs and forms as they are, so that another route comes first.
   */
  async #reroute(shown: ShownPage | null): Promise<PageSurvey | null> {
    if (
      this.#failedReroutes >= FAILED_REROUTES ||
      !isRouteHash(new URL(this.#url).hash) ||
      !this.#isInDocument
    )
      return null
    await this.#view.page.input.press('Escape')
    if (this.#isHome) {
      const detour = this.#context.routes.lightest(this.#url, this.#location)
      if (detour === null) return null
      await this.#changeRoute(detour)
      if (this.#isHome || !this.#isInDocument) return null
    }
    await this.#changeRoute(this.#url)
    const survey = await this.#view.survey()
    const isAsShown = shown === null || shown.fresh === fingerprintOf(survey).exact
    if (this.#isHome && survey.dialogs === 0 && isAsShown) return survey
    this.#failedReroutes++
    return null
  }

  async #changeRoute(url: string): Promise<void> {
    const { page } = this.#view
    const started = performance.now()
    await page.goto(url, { deadlineMs: 15_000 })
    await page.quiet({ quietMs: 200, capMs: 3000, sinceMs: started })
    this.#view.restartSteps()
  }

  get #isHome(): boolean {
    const { url } = this.#view.page
    return URL.canParse(url) && locationKey(new URL(url), this.#context.scope) === this.#location
  }

  /** Whether the document of the page is there, on whatever route. */
  get #isInDocument(): boolean {
    return this.#view.page.url.split('#')[0] === this.#url.split('#')[0]
  }
}
