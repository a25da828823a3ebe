import type { CrawlContext } from './crawl-context.ts'
import { actionLook, fingerprintOf } from './fingerprint.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** How many times a page that shows less than before is surveyed again. */
const LATE_LOOKS = 3
/** Milliseconds of quiet before the first of these surveys. */
const LATE_MS = 300
/** Milliseconds of quiet after which nothing more comes of what an action requested, and times a page that works is waited for. */
const OUTCOME_MS = 700
const OUTCOME_LOOKS = 4

/** Times in a row that waiting was in vain, after which nobody waits for an origin. */
const VAIN = 4

/**
 * What a page shows once it no longer says that something is loading, or after a few looks. Some show such signs always:
 * where they stayed a few times, nobody waits for them.
 */
export async function awaitLoaded(
  view: PageView,
  { vainWaits }: Pick<CrawlContext, 'vainWaits'>,
): Promise<PageSurvey> {
  let survey = await view.survey()
  if (!survey.isLoading || !URL.canParse(survey.url)) return survey
  const { origin } = new URL(survey.url)
  const vain = vainWaits.get(origin) ?? 0
  if (vain >= VAIN) return survey
  for (let look = 0; look < LATE_LOOKS && survey.isLoading; look++) {
    await view.page.quiet({ quietMs: LATE_MS * 2 ** look, capMs: 3000 })
    survey = await view.survey()
  }
  vainWaits.set(origin, survey.isLoading ? vain + 1 : 0)
  return survey
}

/** Whether pages of an origin always show that they load. */
export function isAlwaysLoading(url: string, { vainWaits }: Pick<CrawlContext, 'vainWaits'>): boolean {
  return URL.canParse(url) && (vainWaits.get(new URL(url).origin) ?? 0) >= VAIN
}

/**
 * What came of an action, as the page shows it then. Where it sent requests and nothing shows that could be used, more is
 * waited for: what it leads to comes with their answers, behind a cover perhaps, and the page may work between one and the
 * next. An application that asks for something all the time is not waited for once that was in vain a few times.
 *
 * @param before what the page showed before the action
 */
export async function awaitOutcome(
  view: PageView,
  before: PageSurvey,
  startedMs: number,
  context: Pick<CrawlContext, 'vainWaits' | 'callsSince' | 'isEnding'>,
): Promise<PageSurvey> {
  const { id } = view.page
  let isQuiet = await view.page.quiet({ quietMs: 120, capMs: 2000, sinceMs: startedMs })
  let survey = await awaitLoaded(view, context)
  if (!URL.canParse(survey.url)) return survey
  const place = `outcome ${new URL(survey.url).origin}`
  const vain = context.vainWaits.get(place) ?? 0
  const shown = new Set(before.actions.map(actionLook))
  const { exact } = fingerprintOf(before)
  const isCovered = ({ url, actions, fields, dialogs }: PageSurvey): boolean =>
    url === before.url &&
    dialogs > before.dialogs &&
    fields.length <= before.fields.length &&
    actions.every((action) => shown.has(actionLook(action)))
  const waitsFor = (now: PageSurvey): boolean => isCovered(now) || fingerprintOf(now).exact === exact
  let sinceMs = startedMs
  const looks = vain === 0 ? OUTCOME_LOOKS : vain < VAIN ? 1 : 0
  for (let look = 0; look < looks && !context.isEnding(); look++) {
    const isWorking = !isQuiet || context.callsSince(id, sinceMs).length > 0
    if (!isWorking || !waitsFor(survey)) break
    sinceMs = performance.now()
    isQuiet = await view.page.quiet({ quietMs: OUTCOME_MS, capMs: 6000 })
    survey = await view.survey()
    context.vainWaits.set(place, waitsFor(survey) ? vain + 1 : 0)
  }
  return survey
}

/** What a page shows once it shows most of what it did when it was shown last, or after a few looks. */
export async function awaitShown(
  view: PageView,
  location: string,
  context: Pick<CrawlContext, 'softly' | 'vainWaits'>,
): Promise<PageSurvey> {
  const { softly } = context
  let survey = await awaitLoaded(view, context)
  for (let look = 0; look < LATE_LOOKS; look++) {
    if (!isBlank(survey) && softly.showsMostOf(location, survey)) break
    await view.page.quiet({ quietMs: LATE_MS * 2 ** look, capMs: 3000 })
    survey = await view.survey()
  }
  // What it shows changes with what was done: the router is judged by what it shows now.
  if (!isBlank(survey)) softly.noteLoaded(location, survey)
  return survey
}

/** Whether a page has nothing to act on or to fill in. */
export function isBlank({ actions, fields }: PageSurvey): boolean {
  return actions.length === 0 && fields.length === 0
}
