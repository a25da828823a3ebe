import { Failure } from '../../kit/index.ts'
import { actionCause, nameOfAction } from './action-cause.ts'
import { awaitOutcome, awaitShown, isBlank } from './await-shown.ts'
import {
  type ChosenAction,
  candidate,
  chooseAction,
  type Pass,
  revealedBy,
  type Surroundings,
  sampleOf,
  spotOf,
} from './choose-action.ts'
import { goesToNextStep, leadsOn } from './control-words.ts'
import type { CrawlContext } from './crawl-context.ts'
import { dismissDialog } from './dismiss-dialog.ts'
import { Filling } from './filling.ts'
import { actionLook, fingerprintOf } from './fingerprint.ts'
import { isSentBy, withComplaints } from './forms/complaints.ts'
import { Sendings } from './forms/sendings.ts'
import { gesturesOf } from './gestures.ts'
import { noteActed } from './harm-of-action.ts'
import { type ExplorePayload, noteLogin, noteState, type PathStep, stateId } from './load-page.ts'
import { locationKey, withoutQuery } from './locations.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'
import { recordAction } from './record-action.ts'
import { ReturnToPage, type ShownPage } from './return-to-page.ts'
import { takeSurvey } from './take-survey.ts'
import { VisitTime } from './visit-time.ts'

/** Actions from the URL to the deepest state; more in a dialog, where each choice makes another state of it. */
const DEPTH = 4
const DIALOG_DEPTH = 14
/** Longest chain of steps that each lead on to the next page, such as a checkout. */
const STEPS = 8
/** Pages that nobody has worked on, and that a visit goes on to from page to page. */
const HOPS = 4
/** Times one visit does an action again that leads to ever new states. */
const AGAIN = 8
/** The same where it shows only what was shown before, as a choice among colours. */
const VAIN_AGAIN = 1

/** What came of a visit. */
interface VisitResult {
  /** What is left to do; null when nothing is. */
  readonly rest: ExplorePayload | null
  /** New kinds of requests and new states it found. */
  readonly finds: number
}

/**
 * Fills forms and acts on elements of one page for a slice of time.
 *
 * @param shown what the tab shows, where it is on the page already; else the visit goes there first
 */
export async function explorePage(
  view: PageView,
  payload: ExplorePayload,
  context: CrawlContext,
  shown: PageSurvey | null = null,
): Promise<VisitResult> {
  return new Exploration(view, payload, context).run(shown)
}

class Exploration {
  readonly #view: PageView
  readonly #payload: ExplorePayload
  readonly #context: CrawlContext
  readonly #home: string
  readonly #returning: ReturnToPage
  readonly #path: (PathStep & Pick<ChosenAction, 'signature' | 'kind'>)[] = []
  readonly #filling: Filling
  #before: Set<string> = new Set()
  #steps = 0
  /** Pages that the visit went on to, and the length of its path at the last one. */
  #hops = { count: 0, at: 0 }
  /** What the page of the visit offered when it was shown last; null before it was. */
  #shown: ShownPage | null = null
  /** The page shows a dialog by itself that no page has shown before: it is used before what is behind it. */
  #keepsDialog = false
  /** Where the page is, without its query. */
  #here: { readonly path: string; readonly location: string } = { path: '', location: '' }
  /** The page went to another one that is not explored in this visit. */
  #isAway = false
  #pass: Pass
  readonly #sendings: Sendings
  #isBlocked = false
  #again: string | null = null
  readonly #acted = { acted: '', actedRow: '', isAsked: false }
  /** The page shows the next step of a wizard since the last action that led on. */
  #isNextStep = false
  readonly #agains = new Map<string, number>()
  #links = ''
  readonly #time = new VisitTime()
  #finds = 0
  #actionsSinceReturn = 0

  constructor(view: PageView, payload: ExplorePayload, context: CrawlContext) {
    this.#view = view
    this.#payload = payload
    this.#context = context
    this.#pass = payload.pass ?? (payload.round === 0 ? 0 : 1)
    this.#home = locationKey(new URL(payload.url), context.scope)
    this.#sendings = new Sendings(view, context)
    this.#filling = new Filling(view, this.#sendings, context)
    this.#returning = new ReturnToPage(view, { url: payload.url, location: this.#home }, context)
  }

  async run(shown: PageSurvey | null): Promise<VisitResult> {
    this.#begun()
    const fresh = await this.#uncovered(shown ?? (await this.#arrive()))
    if (fresh === null) return this.#result(null)
    // Whoever is sent there instead has nothing to explore; the page waits until the login was repeated.
    if (this.#locationOf(fresh) !== this.#home && noteLogin(fresh, this.#context))
      return { rest: { ...this.#payload, round: this.#payload.round + 1 }, finds: 0 }
    // The page had something to act on: too late, or not let through, it comes again.
    if (isBlank(fresh)) return { rest: this.#restOf(this.#payload), finds: 0 }
    const { lostAtMs } = this.#payload
    if (lostAtMs !== undefined) this.#context.states.unmarkSince(this.#home, lostAtMs)
    else if (this.#isAsLeft(fresh)) return this.#result(null)
    let survey: PageSurvey | null = await this.#begin(fresh)
    // Getting there takes long on a slow machine: the time of a visit is for what is done there.
    this.#time.slice()
    while (survey !== null) {
      if (this.#context.isEnding()) return this.#result(this.#payload)
      if (this.#time.isOver || (await this.#hasBetterToDo())) return this.#result(this.#payload)
      const location = this.#locationOf(survey)
      const chosen = this.#isAway ? null : this.#choose(survey, location)
      const depth = this.#path.length - this.#hops.at
      if (chosen && depth < (survey.dialogs > 0 ? DIALOG_DEPTH : DEPTH) + this.#steps) {
        survey = await this.#perform(chosen, survey, location)
        continue
      }
      this.#noteLeft(survey, location)
      if (this.#isWorthReturning(this.#pass)) survey = await this.#goHome()
      else if (this.#pass === 2) return this.#result(null)
      else if (await this.#endsPass()) return this.#result(this.#payload)
    }
    return this.#result(null)
  }

  #choose(survey: PageSurvey, location: string): ChosenAction | null {
    const around: Surroundings = {
      location,
      before: this.#before,
      ...this.#acted,
      isUsed: this.#time.isUsed,
      again: this.#again,
      isNextStep: this.#isNextStep,
      mayGoOn: (key) => (this.#agains.get(key) ?? 0) < AGAIN,
      filledForms: this.#filling.forms,
      woken: this.#filling.woken,
      dialogs: this.#keepsDialog ? 0 : (this.#shown?.survey.dialogs ?? survey.dialogs),
      pass: this.#pass,
    }
    return chooseAction(survey, around, this.#context)
  }

  /** What is left to do on the page of the visit shows in what it offered: only that is worth going back for. */
  #isWorthReturning(pass: Pass): boolean {
    return this.#actionsSinceReturn > 0 && this.#nextOf(pass) !== null
  }

  /** What comes next of what the page offered; null when nothing is left. */
  #nextOf(pass: Pass): ChosenAction | null {
    if (this.#shown === null) return null
    const { survey, filledForms, woken } = this.#shown
    const around: Surroundings = {
      location: this.#home,
      before: new Set(),
      again: null,
      filledForms,
      woken,
      pass,
    }
    return chooseAction(survey, around, this.#context)
  }

  /**
   * What promises less waits until other pages had their turn; where none waits, it follows at once.
   *
   * @returns whether it waits
   */
  async #endsPass(): Promise<boolean> {
    this.#pass = this.#pass === 0 && this.#nextOf(1) !== null ? 1 : 2
    this.#actionsSinceReturn = 1
    if (this.#pass === 2 && this.#nextOf(2) === null) return false
    return (await this.#waiting()) > 0
  }

  async #waiting(): Promise<number> {
    const { explore, load } = (await this.#context.ports.frontier.counts()).waiting
    return explore + load
  }

  /** Where nothing new shows any more, other pages have their turn first. */
  async #hasBetterToDo(): Promise<boolean> {
    const waiting = await this.#waiting()
    return this.#time.takeVain(this.#path.length > 0, waiting) && waiting > 0
  }

  /** Does one action and looks at what came of it. */
  async #perform(chosen: ChosenAction, survey: PageSurvey, location: string): Promise<PageSurvey> {
    const { action, gesture, key, signature } = chosen
    const { states, signatures, knowledge, counts } = this.#context
    const [{ page }, before] = [this.#view, fingerprintOf(survey)]
    states.markDone(location, key, sampleOf(action, gesture))
    noteActed(this.#acted, action)
    if (goesToNextStep(action.name)) this.#isNextStep = true
    const started = performance.now()
    knowledge.takeFinds(page.id)
    page.cause = actionCause(gesture, action)
    this.#context.ports.changes?.intend(page.cause, action.guard)
    counts.actions++
    this.#actionsSinceReturn++
    this.#time.noteAction()
    this.#context.noteAction(signature)
    const isForm = action.form >= 0 && this.#filling.forms.has(action.form)
    const goesOn = this.#filling.woken.has(actionLook(action)) || leadsOn(action.name)
    const isStep = isForm || goesOn
    let after: PageSurvey
    try {
      if (!(await this.#view.act(action, gesture))) return await this.#view.survey()
      after = await this.#prepared(await awaitOutcome(this.#view, survey, started, this.#context))
    } catch (error) {
      // Nobody saw what came of it: where the browser died, the next visit does it again.
      if (error instanceof Failure && error.code === 'BROWSER_GONE') states.unmarkDone(location, key)
      throw error
    }
    const [next, place] = [fingerprintOf(after), this.#locationOf(after)]
    const isChanged = next.exact !== before.exact || place !== location
    const { isNew } = noteState(place, next, page.id, this.#context)
    const links = await this.#takeLinks(after)
    const finds = knowledge.takeFinds(page.id)
    const isIdle = !isChanged && this.#context.callsSince(page.id, started).length === 0
    const refusal = isStep ? this.#context.refusalSince(page.id, started) : null
    // A button beside filled fields may do anything, such as choosing a colour.
    if ((isStep || action.isSubmit) && (isIdle || refusal !== null)) {
      this.#sendings.wait(key, goesOn || action.isSubmit)
      const isSent = isSentBy(action, this.#filling.forms)
      after = await this.#mended(withComplaints(after, survey, refusal, isSent))
    } else this.#sendings.passed(key)
    if (refusal !== null) states.markRefused(location, key, knowledge.writes)
    else states.markAccepted(location, key)
    // Whatever opens the same menu on every page shows nothing new after the first time.
    const isNews = finds >= 1 || links > 0 || (this.#noteLooks(after) && isChanged)
    const brought = { isNews, isNewState: isNew, isOperation: finds >= 1 }
    signatures.noteRun(chosen, brought)
    this.#time.noteNews(brought)
    if (finds >= 1) this.#foundOperation()
    this.#finds += finds + (isNew ? 0.2 : 0)
    const [from, to] = [stateId(location, before), stateId(place, next)]
    const done = { chosen, pageId: page.id, fromUrl: survey.url, toUrl: after.url, startedMs: started }
    await recordAction({ ...done, from, to }, this.#context)
    if (gesture === 'click')
      this.#noteRevealed(isChanged && place === location ? after : null, survey, chosen)
    if (states.isOver(location, key))
      this.#context.shared.hold(page.id, 'done', `${location}\n${key}\n${sampleOf(action, gesture)}`)
    if (isChanged) {
      this.#before = new Set(survey.actions.map(actionLook))
      this.#acted.acted = place === location ? spotOf(action) : ''
      this.#sendings.retry(location, key)
      if (isNew && place === location && goesToNextStep(action.name))
        this.#steps = Math.min(STEPS, this.#steps + 2)
      // What leads to ever new states, such as the next entry, is done again; a form, or what switches to and fro, is not.
      const times = (this.#agains.get(key) ?? 0) + 1
      this.#agains.set(key, times)
      const isWorthIt = isNew && !isForm && !action.toggles && (isNews || this.#pass > 0)
      this.#again = isWorthIt && times <= (isNews ? AGAIN : VAIN_AGAIN) ? key : null
      if (isNew) this.#path.push({ key, xpath: action.xpath, gesture, signature, kind: chosen.kind })
      if (isForm || after.dialogs > survey.dialogs) this.#time.step(started)
    } else this.#again = null
    if (place !== location) return this.#arrived(after, chosen, survey.url, isNew, isStep)
    return after
  }

  /**
   * What was found behind a dialog is found behind what opened it: the same button of another page is worth it too. Where
   * something was found, more may be: the visit goes on.
   */
  #foundOperation(): void {
    this.#time.slice()
    for (const step of this.#path) this.#context.signatures.noteFound(step)
  }

  /** What sends a form and did nothing, or was refused, may complain of values, or wait for something else on the page. */
  async #mended(survey: PageSurvey): Promise<PageSurvey> {
    if (!survey.fields.some((field) => field.isRefused && this.#filling.forms.has(field.form))) return survey
    // Only sending tells whether the next value is taken.
    const mended = await this.#sendings.mend(survey, this.#filling.forms, 1)
    this.#sendings.retry(this.#locationOf(mended), '')
    return mended
  }

  /** @returns whether the page shows elements that no page has shown before */
  #noteLooks(survey: PageSurvey): boolean {
    let isNews = false
    for (const action of survey.actions) if (this.#context.looks.noteOpened(action)) isNews = true
    return isNews
  }

  /** Notes which elements an action brought to light; `after` is null when it brought none. */
  #noteRevealed(after: PageSurvey | null, survey: PageSurvey, { action, key }: ChosenAction): void {
    const inner = after === null ? [] : revealedBy(after, survey, this.#context, action.row)
    this.#context.states.noteRevealed(this.#locationOf(survey), key, inner)
  }

  /** Nothing is left to do here for now: what waits for something else is worth returning for. */
  #noteLeft(survey: PageSurvey, location: string): void {
    const shown = location === this.#home ? survey : this.#shown?.survey
    this.#isBlocked =
      shown?.actions.some((action) => action.isDisabled && !action.inNavigation) === true ||
      this.#context.states.hasRefused(this.#home)
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
    isStep: boolean,
  ): Promise<PageSurvey> {
    const { xpath } = action
    const name = nameOfAction(action)
    if (/^https?:/.test(after.url)) {
      await this.#context.harvest.take([
        { url: after.url, origin: 'action', use: 'page', sourceUrl: fromUrl, sourceXpath: xpath, text: name },
      ])
    }
    const isInScope = URL.canParse(after.url) && this.#context.scope.judge(after.url).accepted
    // The next page of a checkout may have been seen before, without what was chosen on the way to it.
    if (isInScope && isStep && this.#steps < STEPS) {
      this.#steps++
      this.#time.step(performance.now())
      return after
    }
    const isWorthIt = isNew || this.#context.states.isUntouched(this.#locationOf(after))
    this.#isAway = !(isInScope && isWorthIt && this.#hops.count < HOPS)
    if (!this.#isAway) {
      this.#hops = { count: this.#hops.count + 1, at: this.#path.length }
      this.#time.step(performance.now())
    }
    return after
  }

  /** Surveys after filling what can be filled, with new fields of a dialog as well. `first`: a survey made just now. */
  async #prepared(first: PageSurvey | null = null): Promise<PageSurvey> {
    const isOpened = this.#context.closedRoots.has(this.#home) && (await this.#view.openClosedRoots())
    const survey = first === null || isOpened ? await this.#view.survey() : first
    return this.#filling.fill(survey, this.#locationOf(survey))
  }

  /** Goes back to the page of the visit, and prepares it. @returns what it shows; null when it is not there */
  async #goHome(): Promise<PageSurvey | null> {
    const near = await this.#toWhatIsLeft()
    if (near !== null) return near
    const fresh = await this.#uncovered(await this.#arrive())
    return fresh && this.#begin(fresh)
  }

  /**
   * What was done on the page may have changed it: where it offers what comes next, that is done there, since having the
   * page anew, filled in again, takes as long as ten actions.
   */
  async #toWhatIsLeft(): Promise<PageSurvey | null> {
    const next = this.#payload.path.length > 0 ? null : this.#nextOf(this.#pass)
    if (next === null || this.#shown === null) return null
    const { dialogs } = this.#shown.survey
    this.#view.page.cause = 'return'
    const offersNext = (survey: PageSurvey): boolean =>
      survey.dialogs <= dialogs &&
      survey.actions.some(
        (action) => !action.isDisabled && candidate(action, next.gesture, survey).key === next.key,
      )
    const survey = await this.#returning.closeWhatOpened(this.#shown, offersNext)
    if (survey !== null) this.#restarted()
    return survey && this.#prepared(survey)
  }

  /** Goes to the page of the visit and repeats the path that belongs to it. @returns what it shows; null: not there */
  async #arrive(): Promise<PageSurvey | null> {
    const { path } = this.#payload
    this.#begun()
    const near = path.length === 0 ? await this.#returning.withinDocument(this.#shown) : null
    if (near !== null) return near
    if (!(await this.#returning.load())) return null
    for (const step of path) if (!(await this.#repeat(step))) return null
    return awaitShown(this.#view, this.#home, this.#context)
  }

  async #uncovered(arrived: PageSurvey | null): Promise<PageSurvey | null> {
    if (arrived === null) return null
    const locationOf = (survey: PageSurvey) => this.#locationOf(survey)
    const { survey, isKept, isLeft } = await dismissDialog(this.#view, arrived, locationOf, this.#context)
    this.#keepsDialog = isKept
    // Opened again, it keeps the dialog that it consists of.
    return isLeft ? this.#uncovered(await this.#arrive()) : survey
  }

  /** The page is shown anew, and nothing was done on it. */
  #begun(): void {
    this.#filling.forget()
    this.#here = { path: withoutQuery(this.#payload.url), location: this.#home }
    this.#restarted()
  }

  /** What follows begins at the page itself. */
  #restarted(): void {
    this.#before = new Set()
    this.#again = null
    this.#isNextStep = false
    this.#path.length = 0
    this.#steps = 0
    this.#hops = { count: 0, at: 0 }
    this.#actionsSinceReturn = 0
    this.#isAway = false
    this.#view.page.cause = 'return'
  }

  async #begin(fresh: PageSurvey): Promise<PageSurvey> {
    const survey = await this.#prepared(fresh)
    this.#shown = {
      survey,
      fresh: fingerprintOf(fresh).exact,
      filled: fingerprintOf(survey).exact,
      filledForms: this.#filling.forms,
      woken: this.#filling.woken,
    }
    return survey
  }

  /** Whether a page that is looked at again shows what it did, with nothing that waited for anything. */
  #isAsLeft(fresh: PageSurvey): boolean {
    if (this.#payload.isRevisit !== true || this.#context.states.hasRefused(this.#home)) return false
    return this.#context.revisits.isAsLeft(this.#home, fingerprintOf(fresh).exact)
  }

  async #repeat(step: PathStep): Promise<boolean> {
    const survey = await this.#prepared()
    for (const action of survey.actions) {
      for (const gesture of gesturesOf(action)) {
        if (candidate(action, gesture, survey).key !== step.key) continue
        this.#view.page.cause = actionCause(gesture, action)
        this.#context.ports.changes?.intend(this.#view.page.cause, action.guard)
        await this.#view.act(action, gesture)
        await this.#view.page.quiet({ quietMs: 120, capMs: 1500, sinceMs: performance.now() })
        return true
      }
    }
    return false
  }

  /** Another query in the same document is a filter of the same page, not another page. */
  #locationOf({ url }: PageSurvey): string {
    const path = withoutQuery(url)
    const isSameDocument = !Number.isNaN(this.#view.stepsInDocument)
    if (!isSameDocument || path !== this.#here.path) this.#here = { path, location: this.#placeOf(url) }
    return this.#here.location
  }

  #placeOf(url: string): string {
    return URL.canParse(url) ? locationKey(new URL(url), this.#context.scope) : this.#home
  }

  #result(rest: ExplorePayload | null): VisitResult {
    if (rest === null) {
      const { revisits, knowledge } = this.#context
      const visit = {
        url: this.#payload.url,
        writes: knowledge.writes,
        isBlocked: this.#isBlocked,
        look: this.#shown?.fresh ?? revisits.lookOf(this.#home),
      }
      revisits.left(this.#home, visit)
    }
    return { rest: rest && this.#restOf(rest), finds: this.#finds }
  }

  /** What is left for the next visit; what went on without the session was taken back by this one. */
  #restOf({ url, path, round, fruitless = 0 }: ExplorePayload): ExplorePayload {
    return {
      url,
      path,
      round: round + 1,
      pass: this.#pass,
      fruitless: this.#finds > 0 ? 0 : fruitless + 1,
    }
  }
}
