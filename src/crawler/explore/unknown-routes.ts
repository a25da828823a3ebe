import type { CrawlContext } from './crawl-context.ts'
import { type Face, faceOf, isStandIn } from './faces.ts'
import { isRouteHash } from './locations.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** A route that no application has. */
const UNKNOWN = '#/vigil-no-such-page'
/** Documents whose page for unknown routes is remembered. */
const DOCUMENTS = 200

/**
 * What applications that route in the fragment show for routes they do not know. Many show their first page, under
 * whatever address: routes that scripts name and that are no more would be explored like it, each of them.
 */
export class UnknownRoutes {
  readonly #faces = new Map<string, Promise<Face | null>>()

  /** Whether a page shows what its document shows for unknown routes; asked once for each document, by loading one. */
  async isShownBy(survey: PageSurvey, view: PageView, context: CrawlContext): Promise<boolean> {
    if (!URL.canParse(survey.url) || !isRouteHash(new URL(survey.url).hash)) return false
    const document = survey.url.split('#')[0]!
    let asked = this.#faces.get(document)
    if (asked === undefined) {
      if (this.#faces.size >= DOCUMENTS || !context.scope.judge(document + UNKNOWN).accepted) return false
      asked = look(document + UNKNOWN, view, context)
      this.#faces.set(document, asked)
    }
    const face = await asked
    return face !== null && isStandIn(survey, face)
  }
}

async function look(url: string, view: PageView, { counts, budget }: CrawlContext): Promise<Face | null> {
  const { page } = view
  const started = performance.now()
  counts.loads++
  budget.loads++
  const visit = await page.goto(url, { deadlineMs: 15_000 })
  if (visit.problem !== null) return null
  await page.quiet({ quietMs: 200, capMs: 5000, sinceMs: started })
  return faceOf(await view.survey())
}
