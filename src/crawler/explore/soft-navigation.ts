import { BoundedSet } from './bounded-set.ts'
import { documentMark } from './catch-all.ts'
import type { CrawlContext } from './crawl-context.ts'
import { discardChanges } from './dismiss-dialog.ts'
import { type Face, faceOf, likenessOf } from './faces.ts'
import { isRouteHash } from './locations.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** Pages whose look is remembered, and vain tries of an origin after which its router is not tried again. */
const PAGES = 2_000
const VAIN = 4
/** Addresses that have to be answered with one document before others are taken to be, too. */
const SHARED_BY = 3
/** A path that no application has. */
const UNKNOWN = '/vigil-no-such-page'
/** Pages tried on the way from a page to itself. */
const DETOURS = 2
/** Share of what can be acted on that a page has to have in common with what it was when it was loaded. */
const LIKENESS = 0.75
/** Share of what a page offered that it has to offer again to count as there. */
const MOST = 0.5
/** The same of a page that shows what another one does. */
const SAME = 0.95
/** Times a page is looked at until it shows what it should, each after twice the wait of the one before. */
const LOOKS = 3
/** Longest text of a document that is compared, in characters. */
const COMPARED = 20_000

/**
 * Goes to pages by the router of an application whose routes are in the path, where all of them are one document: making
 * that anew is what loading a large one costs. Routers hear of steps in the history; whether one followed shows in the page.
 */
export class SoftNavigation {
  readonly #faces = new Map<string, Face>()
  readonly #vain = new Map<string, number>()
  readonly #unknown = new Map<string, Face | null>()
  /** Elements of pages, by their address. */
  readonly #weights = new Map<string, number>()
  /** Addresses at which the application goes on to another one at once. */
  readonly #passing = new BoundedSet(1_000)

  /** Notes what a page looks like when it was loaded and nothing was done there. */
  noteLoaded(location: string, survey: PageSurvey): void {
    if (this.#faces.size < PAGES || this.#faces.has(location)) this.#faces.set(location, faceOf(survey))
    if (this.#weights.size < PAGES) this.#weights.set(placeOf(survey.url), survey.elements)
  }

  /** Whether a page shows most of what it did when it was loaded; true for one that was not. */
  showsMostOf(location: string, survey: PageSurvey): boolean {
    const looks = this.#faces.get(location)?.looks
    if (looks === undefined || looks.size === 0) return true
    const now = faceOf(survey).looks
    return [...looks].filter((look) => now.has(look)).length >= looks.size * MOST
  }

  /**
   * Shows a page that was loaded before.
   *
   * @returns what it shows; null when it has to be loaded
   */
  async toKnown(
    view: PageView,
    url: string,
    location: string,
    context: CrawlContext,
  ): Promise<PageSurvey | null> {
    const face = this.#faces.get(location)
    if (face === undefined || !this.#mayTry(view, url) || !(await hasOneDocument(view, url, context)))
      return null
    let before = faceOf(await view.survey())
    if (placeOf(view.page.url) === placeOf(url)) {
      // On the page itself the router would leave dialogs and forms as they are.
      const elsewhere = await this.#detour(view, context, this.#pageForUnknown(url))
      if (elsewhere === null) return null
      before = faceOf(elsewhere)
    }
    const isShown = (survey: PageSurvey): boolean => {
      if (placeOf(survey.url) !== placeOf(url)) return false
      const now = faceOf(survey)
      const likeness = likenessOf(now, face)
      return survey.dialogs === 0 && likeness >= LIKENESS && likeness > likenessOf(now, before)
    }
    const survey = await this.#route(view, url, context, isShown)
    this.#judge(url, survey !== null)
    return survey
  }

  /**
   * Shows a page that was not loaded before, after asking whether its document is the one that the tab holds.
   *
   * @returns `unknown` where the application shows what it does for any address it does not know
   */
  async toNew(
    view: PageView,
    url: string,
    context: CrawlContext,
  ): Promise<'there' | 'unknown' | 'not there'> {
    if (!this.#mayTry(view, url) || context.documents.alike(view.documentUrl).length < SHARED_BY)
      return 'not there'
    const mark = context.documents.markOf(view.documentUrl)
    if (mark === null || (await markAt(view, url)) !== mark) return 'not there'
    context.documents.noteAlike(url, mark)
    const shown = await this.#withoutDialogs(view, url, context)
    if (shown === null) return 'not there'
    const unknown = await this.#unknownOf(view, url, faceOf(shown), context)
    const before = await this.#away(view, unknown, context)
    if (before === null) return 'not there'
    const started = performance.now()
    const hasFollowed = (survey: PageSurvey): boolean =>
      placeOf(survey.url) === placeOf(url) &&
      (!isSame(survey, before) || context.callsSince(view.page.id, started).length > 0)
    const survey = await this.#route(view, url, context, hasFollowed)
    this.#judge(url, survey !== null)
    if (survey === null) return 'not there'
    return unknown !== null && isStandIn(survey, unknown) ? 'unknown' : 'there'
  }

  /**
   * A dialog would stay open over the next page, so that nobody could tell what is there. The page for unknown addresses
   * may cover the window like one, and goes away with its address.
   *
   * @returns what the page shows; null when a dialog does not close
   */
  async #withoutDialogs(view: PageView, url: string, context: CrawlContext): Promise<PageSurvey | null> {
    const unknown = this.#unknown.get(new URL(url).origin)
    const isClear = (survey: PageSurvey): boolean =>
      survey.dialogs === 0 || (unknown !== undefined && unknown !== null && isStandIn(survey, unknown))
    const shown = await view.survey()
    if (isClear(shown)) return shown
    await view.page.input.press('Escape')
    await view.page.quiet({ quietMs: 150, capMs: 800 })
    let after: PageSurvey | null = await view.survey()
    // Another page closes most of what does not listen to the key.
    if (!isClear(after)) after = await this.#detour(view, context)
    return after !== null && isClear(after) ? after : null
  }

  /** The address of the page for unknown ones, which asks for nothing; none where its router shows none. */
  #pageForUnknown(url: string): string[] {
    const { origin } = new URL(url)
    return this.#unknown.get(origin) ? [origin + UNKNOWN] : []
  }

  /**
   * Goes to another page of the document, one of few elements.
   *
   * @param first addresses that are tried before
   * @returns what it shows; null when the router stays where it is
   */
  async #detour(
    view: PageView,
    context: CrawlContext,
    first: readonly string[] = [],
  ): Promise<PageSurvey | null> {
    const { documents } = context
    const from = placeOf(view.page.url)
    const weightOf = (url: string): number => this.#weights.get(placeOf(url)) ?? Number.MAX_SAFE_INTEGER
    const others = documents
      .alike(view.documentUrl)
      .filter((each) => placeOf(each) !== from)
      .sort((left, right) => weightOf(left) - weightOf(right))
    const steady = [...first, ...others].filter((each) => !this.#passing.has(each))
    for (const other of [...steady, ...others].slice(0, DETOURS)) {
      const survey = await this.#route(view, other, context, ({ url }) => placeOf(url) !== from)
      if (survey === null || placeOf(survey.url) !== placeOf(other)) this.#passing.add(other)
      if (survey !== null) return survey
    }
    return null
  }

  /** Leaves the page for unknown addresses: from there nobody could tell whether the next one is unknown, or late. */
  async #away(view: PageView, unknown: Face | null, context: CrawlContext): Promise<Face | null> {
    const shown = await view.survey()
    if (unknown === null || !isStandIn(shown, unknown)) return faceOf(shown)
    const elsewhere = await this.#detour(view, context)
    return elsewhere && !isStandIn(elsewhere, unknown) ? faceOf(elsewhere) : null
  }

  /** What an application shows for an address that it does not know; null while its router was not seen to follow. */
  async #unknownOf(view: PageView, url: string, before: Face, context: CrawlContext): Promise<Face | null> {
    const { origin } = new URL(url)
    const known = this.#unknown.get(origin)
    if (known !== undefined || (this.#vain.get(origin) ?? 0) >= 0) return known ?? null
    const isThere = (shown: PageSurvey): boolean =>
      placeOf(shown.url) === origin + UNKNOWN && !isSame(shown, before)
    const survey = await this.#route(view, origin + UNKNOWN, context, isThere)
    const face = survey === null ? null : faceOf(survey)
    this.#unknown.set(origin, face)
    return face
  }

  #mayTry({ documentUrl }: PageView, url: string): boolean {
    if (!URL.canParse(url) || !URL.canParse(documentUrl)) return false
    const { origin, hash } = new URL(url)
    if (origin !== new URL(documentUrl).origin || isRouteHash(hash)) return false
    return (this.#vain.get(origin) ?? 0) < VAIN
  }

  /** Tries in vain are forgotten one by one as others help. */
  #judge(url: string, hasHelped: boolean): void {
    const { origin } = new URL(url)
    this.#vain.set(origin, Math.max(-VAIN, (this.#vain.get(origin) ?? 0) + (hasHelped ? -1 : 1)))
  }

  /**
   * Takes a step in the history, and waits until the page shows what it should: a router may have to load a part first.
   *
   * @returns what it shows then; null when the document went away, or it never showed
   */
  async #route(
    view: PageView,
    url: string,
    context: CrawlContext,
    isShown: (survey: PageSurvey) => boolean,
  ): Promise<PageSurvey | null> {
    const { page, documentUrl } = view
    const started = performance.now()
    view.restartSteps()
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(url)}); void dispatchEvent(new PopStateEvent('popstate', { state: null }))`,
      { isolated: true },
    )
    let isAsked = false
    for (let look = 0; look < LOOKS; look++) {
      await page.quiet({ quietMs: 200 * 2 ** look, capMs: 3000, sinceMs: started })
      if (Number.isNaN(view.stepsInDocument) || view.documentUrl !== documentUrl) return null
      const survey = await view.survey()
      if (!isShown(survey)) {
        if (!isAsked && survey.dialogs > 0) isAsked = await discardChanges(view, context)
        continue
      }
      view.restartSteps()
      return survey
    }
    return null
  }
}

/** Same title, headings and fields, and nearly the same elements. */
function isSame(survey: PageSurvey, face: Face): boolean {
  const now = faceOf(survey)
  return now.outline === face.outline && likenessOf(now, face) >= SAME
}

/** The same whatever its title, which the page for unknown addresses may leave as the page before it has set it. */
function isStandIn(survey: PageSurvey, unknown: Face): boolean {
  const now = faceOf(survey)
  return withoutTitle(now) === withoutTitle(unknown) && likenessOf(now, unknown) >= SAME
}

function withoutTitle({ outline }: Face): string {
  return outline.slice(outline.indexOf('\n') + 1)
}

/** Whether the document that the tab holds is the one that the server sends for a URL: it is asked where nobody saw. */
async function hasOneDocument(view: PageView, url: string, { documents }: CrawlContext): Promise<boolean> {
  const own = documents.markOf(view.documentUrl)
  const known = documents.markOf(url)
  if (own === null || known !== null) return own !== null && own === known
  if ((await markAt(view, url)) !== own) return false
  documents.noteAlike(url, own)
  return true
}

/** Asked as a guess: where nothing may be changed, an address that acts at once is held back. */
async function markAt({ page }: PageView, url: string): Promise<string | null> {
  const { cause } = page
  page.cause = 'probe'
  try {
    const text = await page.evaluate<string | null>(
      `fetch(${JSON.stringify(url)}, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(4000) })
        .then(async (answer) => answer.status === 200 && !answer.redirected
          ? (await answer.text()).slice(0, ${COMPARED}) : null)`,
      { isolated: true, deadlineMs: 8000 },
    )
    return text === null ? null : documentMark(text, new URL(url).pathname)
  } catch {
    // It was held back, is too slow, or the page is gone: loading tells.
    return null
  } finally {
    page.cause = cause
  }
}

/** Routers write filters into the query. */
function placeOf(url: string): string {
  return url.split(/[?#]/)[0]!
}
