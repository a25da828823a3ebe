import type { CrawlContext } from './crawl-context.ts'
import { type Face, faceOf, isStandIn } from './faces.ts'
import { isRouteHash } from './locations.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** A route that no application has. */
const UNKNOWN = '#/vigil-no-such-page'
/** Documents whose page for unknown routes is remembered. */
const DOCUMENTS = 200
/** Milliseconds after which one is looked at again. */
const AGAIN_MS = 20_000

/**
 * What applications that route in the fragment show for routes they do not know. Many show their first page, under
 * whatever address: routes that scripts name and that no longer exist would be explored like it, each of them.
 */
export class UnknownRoutes {
  readonly #shown = new Map<string, { readonly face: Promise<Face | null>; readonly atMs: number }>()

  /**
   * Whether a page shows what its document shows for unknown routes. One of these is loaded for that, and again after a
   * while: what it shows may have changed meanwhile.
   */
  async isShownBy(survey: PageSurvey, view: PageView, context: CrawlContext): Promise<boolean> {
    if (!URL.canParse(survey.url) || !isRouteHash(new URL(survey.url).hash)) return false
    const document = survey.url.split('#')[0]!
    const known = this.#shown.get(document)
    const face = await known?.face
    if (face && isStandIn(survey, face)) return true
    if (known === undefined ? this.#shown.size >= DOCUMENTS : performance.now() - known.atMs < AGAIN_MS)
      return false
    if (!context.scope.judge(document + UNKNOWN).accepted) return false
    const asked = look(document + UNKNOWN, view, context)
    this.#shown.set(document, { face: asked, atMs: performance.now() })
    const now = await asked
    return now !== null && isStandIn(survey, now)
  }
}

async function look(url: string, view: PageView, { counts, budget }: CrawlContext): Promise<Face | null> {
  const { page } = view
  const started = performance.now()
  page.cause = 'probe'
  counts.loads++
  budget.loads++
  const visit = await page.goto(url, { deadlineMs: 15_000 })
  if (visit.problem !== null) return null
  await page.quiet({ quietMs: 200, capMs: 5000, sinceMs: started })
  return faceOf(await view.survey())
}
