import { harmOf } from '../../http/harmful-words.ts'
import { actionCause } from './action-cause.ts'
import type { CrawlContext } from './crawl-context.ts'
import { mayHarm } from './harm-of-action.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** Dialogs that are put away one after the other. */
const MOST = 3

/** Names of what puts a dialog away, those that decide least first: consent is given only where nothing refuses it. */
const namesOfWaysOut = [
  /^(?:skip(?: [a-z ]{1,12})?|not now|(?:[a-z' ]{1,20} )?later|no,? thanks|überspringen|später|nicht jetzt|omitir|ahora no|ignorer|plus tard)$/i,
  /^(?:close|dismiss|cancel|x|×|✕|xmark|times|schließen|abbrechen|cerrar|cancelar|fermer|annuler)$/i,
  /^(?:i )?(?:reject|decline|deny|refuse|disagree)(?: (?:all|optional|non-essential))?(?: cookies)?(?: and (?:close|continue))?$|^continue without accepting$/i,
  /^(?:alle )?(?:cookies )?ablehnen$|^rechazar(?: (?:todo|todas))?$|^(?:tout )?refuser(?: tout)?$|^continuer sans accepter$/i,
  /^(?:(?:accept|allow|use|keep) )?(?:only |just )?(?:the )?(?:strictly )?(?:necessary|essential|required)(?: cookies)?(?: only)?$/i,
  /^(?:nur )?(?:technisch )?(?:notwendige|erforderliche|essenzielle)(?: cookies)?(?: (?:akzeptieren|zulassen|erlauben))?$/i,
  /^(?:s[oó]lo )?(?:las )?(?:cookies )?(?:necesarias|esenciales)$|^(?:uniquement )?(?:les )?(?:cookies )?(?:nécessaires|essentiels)(?: uniquement)?$/i,
  /^(?:ok(?:ay)?|done|got it|understood|verstanden|entendido|compris)$/i,
  /^(?:i )?(?:accept|allow|agree)(?: (?:all|cookies|all cookies|and (?:close|continue)))?$/i,
  /^(?:alle )?(?:akzeptieren|zustimmen)$|^aceptar(?: (?:todo|todas))?$|^(?:tout )?accepter(?: tout)?$/i,
]

/** Names of what leaves a page although something on it was not saved, and say so. */
const namesOfLeaving =
  /^(?:(?:yes,? )?(?:discard|abandon) (?:all |my |the |unsaved )?(?:changes|edits)(?: anyway)?|(?:yes,? )?leave (?:the |this )?page(?: anyway)?|(?:leave|continue|exit) without saving|don['’]?t save|änderungen verwerfen|seite verlassen|descartar (?:los )?cambios|(?:abandonner|ignorer) les modifications|quitter la page)$/i
/** Names of what does the same where the dialog speaks of changes: elsewhere it may be a project that is left. */
const namesOfAnyLeaving =
  /^(?:(?:yes,? )?(?:discard|leave|abandon)(?: all)?(?: (?:my |the |this )?(?:page|form|draft))?(?: anyway)?|verwerfen|verlassen|descartar|abandonner|quitter)$/i

/** What a dialog says of changes that are not saved. */
const speaksOfUnsaved =
  /unsaved|(?:\bnot|n['’]t)(?: \w+){0,3} saved|without saving|\blos[et] (?:(?:all|any|your|the|these|unsaved) )*(?:changes|edits)|(?:changes|edits)\b[^.?!]{0,40}\b(?:lost|discarded)|nicht gespeichert|ungespeichert|änderungen[^.?!]{0,40}(?:verloren|verworfen)|sin guardar|perder\S* [^.?!]{0,20}cambios|non (?:sauvegard|enregistr)|perd\S* [^.?!]{0,20}modifications|modifications[^.?!]{0,40}perdu/i

/** What harm is asked of: see {@link mayHarm}. */
type AnswerContext = Pick<CrawlContext, 'ports' | 'allowsHarm' | 'options' | 'knowledge'>

/**
 * Answers a dialog that asks whether to leave a page with what was filled in and not saved.
 *
 * @returns whether there was one
 */
export async function discardChanges(view: PageView, context: AnswerContext): Promise<boolean> {
  const inside = await insideOf(view)
  const leave = inside.find((action) => leavesChanges(action) && !doesHarm(action, context))
  return leave !== undefined && use(view, leave, context)
}

function leavesChanges({ name, dialogText }: PageAction): boolean {
  const said = name.trim()
  return namesOfLeaving.test(said) || (namesOfAnyLeaving.test(said) && speaksOfUnsaved.test(dialogText))
}

/** Whether leaving would do more than lose what was filled in, and may not: discarding that is no harm. */
function doesHarm({ guard, dialogText }: PageAction, context: AnswerContext): boolean {
  const harm = harmOf(`${guard} ${dialogText}`.replace(/\bdiscard\b/gi, ' '))
  return harm !== null && !mayHarm(harm, context)
}

/** Leaves a dialog by the button that puts it away. @returns whether there was one */
export async function leaveDialog(view: PageView, context: Pick<CrawlContext, 'ports'>): Promise<boolean> {
  const wayOut = wayOutOf(await insideOf(view))
  return wayOut !== undefined && use(view, wayOut, context)
}

async function insideOf(view: PageView): Promise<PageAction[]> {
  const { actions } = await view.survey()
  return actions.filter(({ inDialog, isDisabled }) => inDialog && !isDisabled)
}

function use(view: PageView, action: PageAction, { ports }: Pick<CrawlContext, 'ports'>): Promise<boolean> {
  view.page.cause = actionCause('click', action)
  ports.changes?.intend(view.page.cause, action.guard)
  return view.act(action, 'click')
}

/**
 * Puts away what a page shows over itself when it is opened, such as a welcome, a tour or a question for consent: people
 * can use nothing behind it. The page that shows one first keeps it, for what it does, and so does a page that is left
 * with its dialog: what it shows is the page itself.
 *
 * @param survey what the page shows before anything was done on it
 * @returns what it shows then, whether it keeps a dialog, and whether putting one away led to another page
 */
export async function dismissDialog(
  view: PageView,
  survey: PageSurvey,
  locationOf: (survey: PageSurvey) => string,
  context: Pick<CrawlContext, 'filters' | 'ports'>,
): Promise<{ readonly survey: PageSurvey; readonly isKept: boolean; readonly isLeft: boolean }> {
  const { filters } = context
  const location = locationOf(survey)
  let shown = survey
  for (let time = 0; time < MOST; time++) {
    const inside = shown.actions.filter(({ inDialog, isDisabled }) => inDialog && !isDisabled)
    const [first] = inside
    if (first === undefined) break
    const dialog = `dialog ${first.within || titleOf(inside)}`
    const here = `${dialog} at ${location}`
    if (filters.has(here) || filters.add(dialog)) {
      filters.add(here)
      return { survey: shown, isKept: true, isLeft: false }
    }
    const wayOut = wayOutOf(inside)
    if (wayOut === undefined) await view.page.input.press('Escape')
    else await use(view, wayOut, context)
    await view.page.quiet({ quietMs: 200, capMs: 1500 })
    shown = await view.survey()
    if (locationOf(shown) !== location) {
      filters.add(here)
      return { survey: shown, isKept: false, isLeft: true }
    }
    if (shown.actions.filter(({ inDialog }) => inDialog).length >= inside.length) break
  }
  return { survey: shown, isKept: false, isLeft: false }
}

function wayOutOf(inside: readonly PageAction[]): PageAction | undefined {
  for (const pattern of namesOfWaysOut) {
    // A category of consent is switched on and off: that puts nothing away.
    const found = inside.find(({ name, toggles }) => !toggles && pattern.test(name.trim()))
    if (found !== undefined) return found
  }
  return undefined
}

/** What tells a dialog without a title from others. */
function titleOf(inside: readonly PageAction[]): string {
  const names = inside.map(({ name }) => name.replace(/\d+/g, '#').slice(0, 20))
  return names.join('/').slice(0, 200)
}
