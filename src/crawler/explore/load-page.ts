import type { Visit } from '../browser/driver.ts'
import { awaitLoaded, isAlwaysLoading, isBlank } from './await-shown.ts'
import { isNamedControl, type Pass } from './choose-action.ts'
import { begins, leadsOn } from './control-words.ts'
import type { CrawlContext } from './crawl-context.ts'
import { type Fingerprint, fingerprintOf } from './fingerprint.ts'
import type { WorkItem } from './frontier.ts'
import type { LoadPayload } from './harvest.ts'
import { isRouteHash, locationKey } from './locations.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'
import { takeSurvey } from './take-survey.ts'

/** Times a page is scrolled on at its first visit. */
const SCROLLS = 6
/** Explorations queued for one location. */
const EXPLORATIONS = 3

/** How much later a page is explored that looks like one of another address. */
const TWIN_PENALTY = 30
/** The same for each page of its kind with another name in its address, and for any number of them. */
const ALIKE_PENALTY = 8
const MOST_ALIKE = 24
/** Added to the priority of a page with a new button that creates something: an empty list has little else. */
const BEGINNING = 6
/** Explorations of one path, whatever its query, before the others come later. */
const VARIANTS = 5

/** The visit of a page to which the router of the application went. */
const ROUTED = { status: 200, problem: null } as const

/** What an exploration carries. */
export interface ExplorePayload {
  readonly url: string
  /** Keys of actions that lead from the URL to the state. */
  readonly path: readonly PathStep[]
  /** Times it was put back. */
  readonly round: number
  /** {@link Pass} that comes next, after the first visit. */
  readonly pass?: Pass
  /** Visits in a row, up to now, that found nothing. */
  readonly fruitless?: number
  /** Since when the session was lost while it was done before (epoch milliseconds): what was done since is done again. */
  readonly lostAtMs?: number
  /** The page was explored before, and something was written since. */
  readonly isRevisit?: boolean
}

/** One step of a path: enough to find the element again. */
export interface PathStep {
  readonly key: string
  readonly xpath: string
  readonly gesture: string
}

/** Id of a state, as records show it. */
export function stateId(location: string, fingerprint: Fingerprint): string {
  return `${location}#${fingerprint.exact}`
}

/** Milliseconds of quiet that a page is waited for that was slow before, and the longest such wait. */
const PATIENT = { quietMs: 3000, capMs: 15_000 }

/** What a loaded page looks like. */
export interface LoadedPage {
  readonly fingerprint: Fingerprint
  readonly elements: number
  /** No page of its location was loaded before. */
  readonly isFirst: boolean
  /** It is where people sign in, and the crawl should be signed in. */
  readonly isLogin: boolean
  /** It goes on showing that it loads, and not all pages do. */
  readonly isLoading: boolean
  /** It has scripts and shows nothing to use. */
  readonly isBare: boolean
  /** Buttons and tabs that no page had before. */
  readonly news: number
  /** Pages before it of its kind, with another name in their addresses. */
  readonly alike: number
  /** What can be done on it, to be queued or done at once; null where that is nothing new. */
  readonly visit: { readonly item: WorkItem; readonly survey: PageSurvey } | null
}

/**
 * Loads a URL, scrolls through it, and queues what it links to. Null when there is no page.
 *
 * @throws Error when the start of the crawl cannot be loaded
 */
export async function loadPage(
  view: PageView,
  payload: LoadPayload,
  context: CrawlContext,
): Promise<LoadedPage | null> {
  const { page } = view
  const started = performance.now()
  page.cause = 'load'
  context.budget.loads++
  context.counts.loads++
  const routed = await context.softly.toNew(view, payload.url, context)
  if (routed === 'unknown') {
    context.harvest.leftOut.note('the application does not know the address', payload.url)
    return null
  }
  const visit =
    routed === 'there' ? ROUTED : await page.goto(payload.url, { deadlineMs: context.firstAnswer.loadMs })
  // Too late, the tab may still show what it showed before.
  const isThere = visit.problem === null || (visit.problem === 'deadline' && visit.status !== null)
  if (!isThere || page.url.startsWith('chrome-error:')) {
    if (payload.sourceUrl === '' && visit.status === null)
      throw new Error(`${payload.url.slice(0, 150)}: ${reasonOf(visit)}`)
    return null
  }
  const patience = payload.isAgain === true ? PATIENT : { quietMs: 200, capMs: 5000 }
  await page.quiet({ ...patience, sinceMs: started })
  const location = locationKey(new URL(URL.canParse(page.url) ? page.url : payload.url), context.scope)
  if (context.isAlias(page.url)) return null
  let survey = await awaitLoaded(view, context)
  await takeSurvey(survey, context)
  if (URL.canParse(survey.url)) context.harvest.noteSurveyed(new URL(survey.url))
  const isFirst = countExploration(location, page.id, context) === 1
  if (isFirst) survey = await lookAround(view, survey, started, context)
  const fingerprint = fingerprintOf(survey)
  context.softly.noteLoaded(location, survey)
  // Applications write filters into the address once the page is there: that is where visits go.
  if (URL.canParse(survey.url))
    context.softly.noteLoaded(locationKey(new URL(survey.url), context.scope), survey)
  const news = survey.actions.filter((action) => context.looks.note(action, location)).filter(isNamedControl)
  const { isNew } = noteState(location, fingerprint, page.id, context)
  const calls = callsOfLoad(context.callsSince(page.id, started), [payload.url, survey.url])
  await recordLoad(payload, survey, stateId(location, fingerprint), calls, context)
  const isLogin = noteLogin(survey, context)
  if (URL.canParse(survey.url) && isRouteHash(new URL(survey.url).hash))
    context.routes.note(survey.url, location, { elements: survey.elements, calls: calls.length })
  let item: WorkItem | null = null
  const alike = context.faces.countAlike(survey)
  if (isNew && (survey.actions.length > 0 || survey.fields.length > 0)) {
    const isTwin = context.faces.isTwin(survey)
    const isNoPage = isTwin && (await context.unknownRoutes.isShownBy(survey, view, context))
    if (!isNoPage) item = explorationOf({ survey, location, isTwin, alike, news }, page.id, context)
  }
  const work = item && { item, survey }
  return {
    fingerprint,
    elements: survey.elements,
    isFirst,
    isLogin,
    isLoading: survey.isLoading && !isAlwaysLoading(survey.url, context),
    isBare: isBlank(survey) && /\bscript\b/.test(survey.tags),
    news: news.length,
    alike,
    visit: work,
  }
}

/** Notes a state, for all processes of the crawl once the work of the page is settled. */
export function noteState(
  location: string,
  fingerprint: Fingerprint,
  pageId: string,
  { states, shared }: CrawlContext,
): { readonly isNew: boolean } {
  const noted = states.note(location, fingerprint)
  const { exact, rough } = fingerprint
  if (noted.isNew) shared.hold(pageId, 'state', `${location}\n${exact}\n${rough.join(' ')}`)
  return noted
}

function countExploration(location: string, pageId: string, { states, shared }: CrawlContext): number {
  shared.hold(pageId, 'explored', location)
  return states.countExploration(location)
}

/** Scrolls to the end, waits for what comes late, and looks into closed shadow roots. */
async function lookAround(
  view: PageView,
  first: PageSurvey,
  started: number,
  context: CrawlContext,
): Promise<PageSurvey> {
  const { page } = view
  let survey = first
  for (let scroll = 0; scroll < SCROLLS && !context.isEnding(); scroll++) {
    if (!(await view.scrollOn())) break
    await page.quiet({ quietMs: 120, capMs: 1500, sinceMs: performance.now() })
  }
  const hasTimers = await page.evaluate<boolean>(
    `[...document.scripts].some((script) => !script.src && /setTimeout|setInterval|requestIdle/.test(script.textContent))`,
    { isolated: true },
  )
  const wait = (hasTimers ? 1700 : 350) - (performance.now() - started)
  if (wait > 0) await pause(wait)
  if (await view.openClosedRoots()) context.closedRoots.add(locationKey(new URL(first.url), context.scope))
  const again = await view.survey()
  if (
    again.elements !== survey.elements ||
    again.links.length !== survey.links.length ||
    again.url !== survey.url
  ) {
    await takeSurvey(again, context)
  } else if (again.listening !== survey.listening) {
    await takeSurvey(again, context)
  }
  survey = again
  return survey
}

/** A page to be explored. */
interface Explorable {
  readonly survey: PageSurvey
  readonly location: string
  /** It looks like one of another address. */
  readonly isTwin: boolean
  readonly alike: number
  /** Buttons and tabs that no page had before. */
  readonly news: readonly PageAction[]
}

/** Work on a page; null when its location has enough of it. */
function explorationOf(
  { survey, location, isTwin, alike, news }: Explorable,
  pageId: string,
  context: CrawlContext,
): WorkItem | null {
  const queued = countExploration(`explore ${location}`, pageId, context)
  if (queued > EXPLORATIONS) return null
  // The same page with other filters in its query; of one document they are certain to be that.
  const variants = countExploration(`path ${location.replace(/\?[^#]*/g, '')}`, pageId, context)
  const most = context.documents.alike(survey.url).length > 0 ? 1 : VARIANTS
  const payload: ExplorePayload = { url: survey.url, path: [], round: 0 }
  const later = (queued - 1) * 10 + Math.min(MOST_ALIKE, alike * ALIKE_PENALTY)
  return {
    kind: 'explore',
    key: `explore ${location} ${queued}`,
    location,
    priority: priorityOf(survey, news) - later - (isTwin || variants > most ? TWIN_PENALTY : 0),
    payload: JSON.stringify(payload),
  }
}

/** Pages with buttons of their own promise most, and those with forms, then those with many things to do. */
function priorityOf(survey: PageSurvey, news: readonly PageAction[]): number {
  const fields = survey.fields.filter((field) => field.type !== 'search').length
  const beginnings = news.some(({ name }) => begins(name) || leadsOn(name)) ? BEGINNING : 0
  return (
    10 +
    Math.min(10, news.length) +
    Math.min(6, fields * 2) +
    Math.min(5, survey.actions.length / 10) +
    beginnings
  )
}

/** What a page called while it loaded: all but the page itself. */
export function callsOfLoad(calls: readonly string[], pages: readonly string[]): string[] {
  const own = new Set(pages.map((url) => `GET ${url.split('#')[0]}`))
  return [...new Set(calls)].filter((call) => !own.has(call))
}

function reasonOf({ problem }: Pick<Visit, 'problem'>): string {
  if (problem !== 'deadline') return problem ?? 'there is no page'
  return 'nothing came back in time. Check the URL, and that the application runs and answers.'
}

async function recordLoad(
  payload: LoadPayload,
  survey: PageSurvey,
  to: string,
  calls: readonly string[],
  context: CrawlContext,
): Promise<void> {
  await context.ports.sink.edge({
    from: payload.sourceUrl,
    to,
    fromUrl: payload.sourceUrl,
    toUrl: survey.url,
    action: 'load',
    xpath: payload.sourceXpath,
    text: payload.text,
    calls,
  })
}

/**
 * A password box on a page that is the login page means that the session may be gone.
 *
 * @returns whether it is that page
 */
export function noteLogin(survey: PageSurvey, context: CrawlContext): boolean {
  const login = context.ports.session?.loginUrl
  if (!login || !survey.hasPassword || !survey.url.startsWith(login)) return false
  context.knowledge.suspect(`the login page was shown at ${survey.url}`)
  return true
}

/** Waits. Pages have their own timers that nothing announces. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
