import type { CrawlContext } from './crawl-context.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** How many times a page that shows less than before is surveyed again. */
const LATE_LOOKS = 3
/** Milliseconds of quiet before the first of these surveys. */
const LATE_MS = 300
/** Milliseconds of quiet after which nothing more comes of what an action requested. */
const OUTCOME_MS = 700

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

/**
 * What came of an action, as the page shows it then. Where it sent requests and nothing shows, more is waited for: what it
 * leads to comes with their answers, and the page may work between one and the next. An application that asks for
 * something all the time is not waited for once that was in vain a few times.
 *
 * @param before exact looks of the page before the action
 */
export async function awaitOutcome(
  view: PageView,
  before: string,
  startedMs: number,
  context: Pick<CrawlContext, 'vainWaits' | 'callsSince' | 'isEnding'>,
): Promise<PageSurvey> {
  const isQuiet = await view.page.quiet({ quietMs: 120, capMs: 2000, sinceMs: startedMs })
  const survey = await awaitLoaded(view, context)
  const isWorking = !isQuiet || context.callsSince(view.page.id, startedMs).length > 0
  if (!isWorking || context.isEnding() || !URL.canParse(survey.url)) return survey
  const place = `outcome ${new URL(survey.url).origin}`
  const vain = context.vainWaits.get(place) ?? 0
  if (vain >= VAIN || fingerprintOf(survey).exact !== before) return survey
  await view.page.quiet({ quietMs: OUTCOME_MS, capMs: 6000 })
  const later = await view.survey()
  context.vainWaits.set(place, fingerprintOf(later).exact === before ? vain + 1 : 0)
  return later
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
