import { actionCause } from './action-cause.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** Dialogs that are put away one after the other. */
const MOST = 3

/** Names of what puts a dialog away, those that decide least first. */
const namesOfWaysOut = [
  /^(?:skip(?: [a-z ]{1,12})?|not now|(?:[a-z' ]{1,20} )?later|no,? thanks|überspringen|später|nicht jetzt|omitir|ahora no|ignorer|plus tard)$/i,
  /^(?:close|dismiss|cancel|got it|understood|ok(?:ay)?|done|x|×|✕|xmark|times|schließen|verstanden|abbrechen|cerrar|entendido|fermer|compris)$/i,
  /^(?:reject|decline|deny|accept|allow|agree)(?: (?:all|cookies|all cookies|and (?:close|continue)))?$/i,
  /^(?:alle )?(?:akzeptieren|ablehnen)$|^(?:aceptar|rechazar)(?: todo)?$|^(?:tout )?(?:accepter|refuser)$/i,
]

/**
 * Puts away what a page shows over itself when it is opened, such as a welcome, a tour or a question for consent: people
 * can use nothing behind it. The first page that shows one keeps it, for what it does.
 *
 * @param survey what the page shows before anything was done on it
 * @returns what it shows then, and whether it keeps one that no page has shown before
 */
export async function dismissDialog(
  view: PageView,
  survey: PageSurvey,
  context: Pick<CrawlContext, 'filters' | 'ports'>,
): Promise<{ readonly survey: PageSurvey; readonly isKept: boolean }> {
  let shown = survey
  for (let time = 0; time < MOST; time++) {
    const inside = shown.actions.filter(({ inDialog, isDisabled }) => inDialog && !isDisabled)
    const [first] = inside
    if (first === undefined) break
    if (context.filters.add(`dialog ${first.within || titleOf(inside)}`))
      return { survey: shown, isKept: true }
    const wayOut = wayOutOf(inside)
    const before = inside.length
    if (wayOut === undefined) await view.page.input.press('Escape')
    else {
      view.page.cause = actionCause('click', wayOut)
      context.ports.changes?.intend(view.page.cause, wayOut.guard)
      await view.act(wayOut, 'click')
    }
    await view.page.quiet({ quietMs: 200, capMs: 1500 })
    shown = await view.survey()
    if (shown.actions.filter(({ inDialog }) => inDialog).length >= before) break
  }
  return { survey: shown, isKept: false }
}

function wayOutOf(inside: readonly PageAction[]): PageAction | undefined {
  for (const pattern of namesOfWaysOut) {
    const found = inside.find(({ name }) => pattern.test(name.trim()))
    if (found !== undefined) return found
  }
  return undefined
}

/** What tells a dialog without a title from others. */
function titleOf(inside: readonly PageAction[]): string {
  const names = inside.map(({ name }) => name.replace(/\d+/g, '#').slice(0, 20))
  return names.join('/').slice(0, 200)
}
