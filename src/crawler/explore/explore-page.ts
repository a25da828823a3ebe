import { type ChosenAction, candidate, chooseAction, gesturesOf } from './choose-action.ts'
import type { CrawlContext } from './crawl-context.ts'
import { fillPage } from './fill-page.ts'
import { actionLook, fingerprintOf } from './fingerprint.ts'
import { type ExplorePayload, type PathStep, stateId } from './load-page.ts'
import { locationKey } from './locations.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'
import { takeSurvey } from './take-survey.ts'

/** Milliseconds for one visit, and at least so many after a step of a dialog or a wizard. */
const SLICE_MS = 15_000
const STEP_MS = 10_000
/** Actions from the URL to the deepest state; more when a dialog opened on the way. */
const DEPTH = 4
const DIALOG_DEPTH = 6

/** What came of a visit. */
export interface VisitResult {
  /** What is left to do; null when nothing is. */
  readonly rest: ExplorePayload | null
  /** New kinds of requests and new states it found. */
  readonly finds: number
}

/** Fills forms and acts on elements of one page for a slice of time. */
export async function explorePage(
  view: PageView,
  payload: ExplorePayload,
  context: CrawlContext,
): Promise<VisitResult> {
  const visit = new Exploration(view, payload, context)
  return visit.run()
}

class Exploration {
  readonly #view: PageView
  readonly #payload: ExplorePayload
  readonly #context: CrawlContext
  readonly #home: string
  readonly #path: PathStep[] = []
  #filled = new Set<string>()
  #filledForms = new Set<number>()
  #before: Set<string> = new Set()
  #again: string | null = null
  #links = ''
  #end = performance.now() + SLICE_MS
  #finds = 0
  #returns = 0
  #actionsSinceReturn = 0

  constructor(view: PageView, payload: ExplorePayload, context: CrawlContext) {
    this.#view = view
    this.#payload = payload
    this.#context = context
    this.#home = locationKey(new URL(payload.url), context.scope)
  }

  async run(): Promise<VisitResult> {
    if (!(await this.#goHome())) return this.#result(null)
    let survey = await this.#prepared()
    for (;;) {
      if (this.#context.isEnding()) return this.#result(this.#payload)
      if (performance.now() > this.#end) return this.#result(this.#payload)
      const location = this.#locationOf(survey)
      const chosen = chooseAction(
        survey,
        { location, before: this.#before, again: this.#again, filledForms: this.#filledForms },
        this.#context,
      )
      if (chosen && this.#path.length < (survey.dialogs > 0 ? DIALOG_DEPTH : DEPTH)) {
        survey = await this.#perform(chosen, survey, location)
        continue
      }
      if (this.#actionsSinceReturn === 0 || this.#returns >= 6 || !(await this.#goHome())) {
        return this.#result(null)
      }
      survey = await this.#prepared()
    }
  }

  /** Does one action and looks at what came of it. */
  async #perform(chosen: ChosenAction, survey: PageSurvey, location: string): Promise<PageSurvey> {
    const { action, gesture, key, signature } = chosen
    const { states, signatures, knowledge, counts } = this.#context
    const { page } = this.#view
    states.markDone(location, key, `${gesture}|${action.structure}`)
    const before = fingerprintOf(survey)
    const started = performance.now()
    knowledge.takeFinds(page.id)
    page.cause = `${gesture} ${action.xpath} ${action.name}`.slice(0, 300)
    counts.actions++
    this.#actionsSinceReturn++
    this.#context.noteAction(signature)
    const isForm = action.form >= 0 && this.#filledForms.has(action.form)
    if (!(await this.#view.act(action, gesture))) return this.#view.survey()
    await page.quiet({ quietMs: 120, capMs: 2000, sinceMs: started })
    const after = await this.#prepared()
    const next = fingerprintOf(after)
    const place = this.#locationOf(after)
    const isChanged = next.exact !== before.exact || place !== location
    const { isNew } = states.note(place, next)
    const links = await this.#takeLinks(after)
    const finds = knowledge.takeFinds(page.id)
    signatures.note(signature, finds > 0 || links > 0 || (isNew && isChanged))
    this.#finds += finds + (isNew ? 0.2 : 0)
    await this.#record(
      chosen,
      stateId(location, before),
      stateId(place, next),
      survey.url,
      after.url,
      started,
    )
    if (isChanged) {
      this.#before = new Set(survey.actions.map(actionLook))
      this.#again = key
      if (isNew) this.#path.push({ key, xpath: action.xpath, gesture })
      if (isForm || after.dialogs > survey.dialogs) this.#end = Math.max(this.#end, started + STEP_MS)
    } else {
      this.#again = null
    }
    if (place !== location) return this.#arrived(after, chosen, survey.url, isNew)
    return after
  }

  /** Most actions change no link: those of before are not judged again. @returns how many were new */
  async #takeLinks(survey: PageSurvey): Promise<number> {
    const text = survey.links.map((link) => link.url).join(' ')
    if (text === this.#links) return 0
    this.#links = text
    return takeSurvey(survey, this.#context)
  }

  /** The action led to another page: it is queued, and explored at once only when it is new and near. */
  async #arrived(
    after: PageSurvey,
    { action }: ChosenAction,
    fromUrl: string,
    isNew: boolean,
  ): Promise<PageSurvey> {
    const { xpath, name } = action
    if (/^https?:/.test(after.url)) {
      await this.#context.harvest.take([
        { url: after.url, origin: 'action', use: 'page', sourceUrl: fromUrl, sourceXpath: xpath, text: name },
      ])
    }
    const isInScope = URL.canParse(after.url) && this.#context.scope.judge(after.url).accepted
    if (isInScope && isNew && this.#path.length < DEPTH) return after
    return (await this.#goHome()) ? this.#prepared() : after
  }

  /** Surveys after filling what can be filled, with new fields of a dialog as well. */
  async #prepared(): Promise<PageSurvey> {
    if (this.#context.closedRoots.has(this.#home)) await this.#view.openClosedRoots()
    const survey = await this.#view.survey()
    if (survey.fields.length === 0) return survey
    const forms = await fillPage(this.#view, survey, this.#filled, this.#context)
    if (forms.size === 0) return survey
    await this.#view.page.quiet({ quietMs: 100, capMs: 700 })
    const filled = await this.#view.survey()
    for (const form of forms) this.#filledForms.add(form)
    return filled
  }

  /** Goes back to the page of the visit and repeats the path that belongs to it. @returns whether it is there */
  async #goHome(): Promise<boolean> {
    const { page } = this.#view
    const { url, path } = this.#payload
    this.#filled = new Set()
    this.#filledForms = new Set()
    this.#before = new Set()
    this.#again = null
    this.#path.length = 0
    this.#actionsSinceReturn = 0
    this.#returns++
    page.cause = 'return'
    if (path.length === 0 && (await this.#stepBack())) return true
    // A change of the fragment alone would leave dialogs and forms as they are.
    if (page.url.split('#')[0] === url.split('#')[0] && url.includes('#')) {
      await page.cdp.send('Page.navigate', { url: 'about:blank' })
    }
    this.#context.counts.loads++
    const started = performance.now()
    const visit = await page.goto(url, { deadlineMs: 15_000 })
    if (visit.problem !== null && visit.problem !== 'deadline') return false
    await page.quiet({ quietMs: 200, capMs: 3000, sinceMs: started })
    this.#view.restartSteps()
    for (const step of path) if (!(await this.#repeat(step))) return false
    return true
  }

  /** Where only the router of the page moved, going back costs much less than loading. @returns whether it helped */
  async #stepBack(): Promise<boolean> {
    const { page } = this.#view
    const steps = this.#view.stepsInDocument
    if (!(steps >= 1 && steps <= 3) || this.#placeOf(page.url) === this.#home) return false
    const started = performance.now()
    await page.evaluate(`void history.go(-${steps})`, { isolated: true })
    await page.quiet({ quietMs: 150, capMs: 1500, sinceMs: started })
    this.#view.restartSteps()
    return this.#placeOf(page.url) === this.#home
  }

  async #repeat(step: PathStep): Promise<boolean> {
    const survey = await this.#prepared()
    for (const action of survey.actions) {
      for (const gesture of gesturesOf(action)) {
        if (candidate(action, gesture, survey).key !== step.key) continue
        await this.#view.act(action, gesture)
        await this.#view.page.quiet({ quietMs: 120, capMs: 1500, sinceMs: performance.now() })
        return true
      }
    }
    return false
  }

  #locationOf(survey: PageSurvey): string {
    return this.#placeOf(survey.url)
  }

  #placeOf(url: string): string {
    return URL.canParse(url) ? locationKey(new URL(url), this.#context.scope) : this.#home
  }

  #result(rest: ExplorePayload | null): VisitResult {
    return { rest: rest && { ...rest, round: rest.round + 1 }, finds: this.#finds }
  }

  async #record(
    chosen: ChosenAction,
    from: string,
    to: string,
    fromUrl: string,
    toUrl: string,
    started: number,
  ): Promise<void> {
    const { action, gesture } = chosen
    await this.#context.ports.sink.edge({
      from,
      to,
      fromUrl,
      toUrl,
      action: action.isSubmit ? 'submit' : gesture,
      xpath: action.xpath,
      text: action.name,
      calls: this.#context.callsSince(this.#view.page.id, started),
    })
  }
}
