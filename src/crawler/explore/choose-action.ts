import {
  begins,
  copiesText,
  goesToNextStep,
  keepsChanges,
  leadsOn,
  opensMore,
  showsHidden,
  stopsService,
  undoes,
} from './control-words.ts'
import type { CrawlContext } from './crawl-context.ts'
import { actionLook } from './fingerprint.ts'
import { choosesLanguage, isSearched } from './forms/field-value.ts'
import { languagesAmong } from './forms/languages.ts'
import { gesturePenalty, offeredGestures } from './gestures.ts'
import { destructionPenalty, endangersRights, harmOfControl, isOwn, mayHarm } from './harm-of-action.ts'
import { hashText, stableId } from './page/describe-element.ts'
import type { PageAction, PageField, PageSurvey } from './page/survey-types.ts'
import type { Gesture } from './page-view.ts'
import type { States } from './states.ts'

/** Elements of one repeated structure that are acted on: inside navigation, and elsewhere. */
const NAVIGATION_SAMPLES = 15
/** Fruitless runs after which an element of the navigation is given up: it is the same on every page. */
const NAVIGATION_PATIENCE = 1
/** The same in the last pass, of any element: what led nowhere on other pages may do so on this one. */
const LAST_PATIENCE = 8
const SAMPLES = 3
/** The same of buttons and tabs that each have a name: those of one bar look alike and do different things. */
const NAMED_SAMPLES = 10
const LAST_NAMED_SAMPLES = 40
/** Number of an element without handlers. */
const NO_HANDLERS = hashText('')
/** Fields of forms that are made to be acted on, too. */
const FILLED = /^(?:checkbox|radio|combobox|editable)$/
/** Fruitless runs of alike elements, whatever they are called, after which the others come later. */
const KIND_PATIENCE = 4
/** Longest name of a control; a longer one is what it shows. */
const CONTROL_NAME = 30

/** An action with the gesture that comes next. */
export interface ChosenAction {
  readonly action: PageAction
  readonly gesture: Gesture
  /** For the memory of the location. */
  readonly key: string
  /** For the memory of the crawl. */
  readonly signature: string
  /** The same, whatever the element is called: elements in one place of a structure mostly do the same. */
  readonly kind: string
}

/** What was there before, to prefer what is new. */
export interface Surroundings {
  readonly location: string
  /** Looks of the elements that the page had before the last action. */
  readonly before: ReadonlySet<string>
  /** {@link spotOf} the element that was used last: it may look different now, and did not come to light. */
  readonly acted?: string
  /** What the row said of the element that was used last: a menu is about it. */
  readonly actedRow?: string
  /** What was used last was to destroy something: a dialog that it opened asks whether it should. */
  readonly isAsked?: boolean
  /** The page was used for a while: what is on it may be destroyed. */
  readonly isUsed?: boolean
  /** Key of the action that was just done and changed the page: it may be done again. */
  readonly again: string | null
  /** The page shows the next step of a wizard: what looks like the choices of the step before is another choice. */
  readonly isNextStep?: boolean
  /** Whether an action that goes to the next step may be done once more. */
  readonly mayGoOn?: (key: string) => boolean
  /** Forms that were filled and not sent. */
  readonly filledForms: ReadonlySet<number>
  /** Looks of elements that filling has brought or enabled: they send what was filled in. */
  readonly woken: ReadonlySet<string>
  /** Dialogs that the page shows by itself: with more than these, people can use nothing behind them. */
  readonly dialogs?: number
  /** {@link Pass} of the visit; 1 unless given. */
  readonly pass?: Pass
}

/** Surroundings with what the page shows now. */
interface Offer extends Surroundings {
  /** Whether an action, by its key, can be done at once: nothing has to be opened for it. */
  readonly isShown: (key: string) => boolean
  /** Entries of a list of languages: the words on buttons would be read less well in another one. */
  readonly languages: ReadonlySet<PageAction>
  /** The last action brought elements to light that are made to be used. */
  readonly hasNewControls: boolean
}

/**
 * What a visit tries. 0: only what promises something, clicks outside of the frame that all pages have; 1: the rest; 2:
 * also clicks on what led nowhere on other pages.
 */
export type Pass = 0 | 1 | 2

/** The action that promises most; null when nothing is left to do. Counts what is avoided. */
export function chooseAction(
  survey: PageSurvey,
  around: Surroundings,
  context: CrawlContext,
): ChosenAction | null {
  let best: ChosenAction | null = null
  let bestScore = Number.NEGATIVE_INFINITY
  const fields = new Map(survey.fields.map((field) => [field.xpath, field]))
  const hasNewControls =
    around.before.size > 0 &&
    survey.actions.some((action) => isControl(action) && !around.before.has(actionLook(action)))
  const languages = new Set(languagesAmong(survey.actions))
  const offer: Offer = { ...around, isShown: shownIn(survey, context), languages, hasNewControls }
  for (const action of survey.actions) {
    if (action.isDisabled || isPlainLink(action, survey.url, context)) continue
    const field = fields.get(action.xpath)
    // Filled in already: what follows would take it back.
    if (field && (field.form >= 0 ? FILLED : /^editable$/).test(field.type)) continue
    for (const gesture of offeredGestures(action, context)) {
      // Filling it in gives it the focus.
      if (gesture === 'focus' && field) continue
      const chosen = candidate(action, gesture, survey)
      const score = scoreOf(chosen, survey, offer, context)
      if (score === null || score <= bestScore) continue
      best = chosen
      bestScore = score
    }
  }
  return best
}

/** Tells what a survey shows, by the keys of actions; few ask, and then often. */
function shownIn(survey: PageSurvey, context: CrawlContext): (key: string) => boolean {
  let keys: Set<string> | null = null
  return (key) => {
    keys ??= new Set(
      survey.actions
        .filter(({ isDisabled }) => !isDisabled)
        .flatMap((action) =>
          offeredGestures(action, context).map((gesture) => candidate(action, gesture, survey).key),
        ),
    )
    return keys.has(key)
  }
}

/** Identity of an action within a location and within the crawl. */
export function candidate(action: PageAction, gesture: Gesture, survey: PageSurvey): ChosenAction {
  const look = actionLook(action)
  // The same button under other fields is another step.
  const fields = action.form < 0 ? [] : survey.fields.filter((field) => field.form === action.form)
  const names = fields.map(steadyName).join(',')
  return {
    action,
    gesture,
    key: `${gesture}|${look}|${action.structure}|${action.handlers}|${action.inDialog}|${action.within}|${names.slice(0, 200)}${isOwn(action.row) ? '|own' : ''}`,
    signature: signatureOf(action, gesture),
    kind: `kind ${gesture}|${action.structure}|${action.handlers}`,
  }
}

/** What tells a field from others on every visit. Ids may be drawn anew each time: they count where nothing else tells. */
export function steadyName({ name, label, id }: PageField): string {
  return stableId(name) || label.replace(/\d+/g, '#').slice(0, 30) || stableId(id)
}

/**
 * Kind of an action within the crawl. What stands on an element tells little of what hovering over it or a key does, or a
 * click where nothing says that it is made for clicks. Controls without a name are told apart by what holds them.
 */
function signatureOf(action: PageAction, gesture: Gesture): string {
  const kind = `${gesture}|${action.tag}|${action.role}|${action.id}|${action.classes}`
  const isNamed =
    gesture === 'click' && (action.role !== '' || /^(?:button|a|input|summary)/.test(action.tag))
  const name = isNamed ? action.name.replace(/\d+/g, '#').slice(0, 60) || placeOf(action) : ''
  return `${kind}|${name}|${action.handlers}`
}

function scoreOf(
  chosen: ChosenAction,
  survey: PageSurvey,
  around: Offer,
  context: CrawlContext,
): number | null {
  const { action, gesture, key, signature, kind } = chosen
  const { states, signatures, ports } = context
  const look = actionLook(action)
  const isAgain = key === around.again
  const changesLanguage = choosesLanguage(action.guard) || around.languages.has(action)
  const wasActed = spotOf(action) === around.acted
  const hasAppeared = around.before.size > 0 && !around.before.has(look) && !wasActed
  const isFrame = !action.isSubmit && !action.inDialog && !hasAppeared && context.looks.isEverywhere(action)
  const inNavigation = action.inNavigation || isFrame
  // What the frame holds was tried on another page.
  const patience = inNavigation ? NAVIGATION_PATIENCE : undefined
  // The menu of an account is the same on every page: what was used of it anywhere is done.
  const isTried = (used: string): boolean =>
    action.inNavigation ? signatures.promise(used) < 2 : signatures.isDropped(used, patience)
  const isUnfinished =
    !changesLanguage &&
    !turnsPages(action) &&
    states.hasUnfinished(
      around.location,
      key,
      (inner) => around.isShown(inner.key) || isTried(inner.signature),
    )
  // The button of a wizard waits for each step anew.
  const goesOn = hasAppeared && goesToNextStep(action.name) && around.mayGoOn?.(key) === true
  const isOver = states.isDone(around.location, key, context.knowledge.writes)
  if (isOver && !isAgain && !isUnfinished && !goesOn) return null
  const isOfStep = hasAppeared && around.isNextStep === true
  const isWoken = gesture === 'click' && around.woken.has(look) && maySend(action)
  const isSent = action.isSubmit
    ? around.filledForms.has(action.form)
    : keepsPage(action, around, inNavigation)
  const sends = isWoken || (gesture === 'click' && isSent)
  // What sends a form is judged at each form: all of them look alike.
  const { pass = 1 } = around
  // A list that opened just now is that of a box, such as one for another theme.
  const isPart = leadsToPart(action) && !(action.role === 'option' && hasAppeared)
  if (!sends && !isUnfinished && signatures.isDropped(signature, patienceFor(action, gesture, isFrame, pass)))
    return null
  if (survey.dialogs > (around.dialogs ?? survey.dialogs) && !action.inDialog && !hasAppeared) return null
  if (action.holdsField && pass !== 2) return null
  if (pass !== 2 && (stopsService(action.guard) || around.languages.has(action))) return null
  if (pass === 0 && !sends) {
    if (gesture !== 'click' && !opensOwnMenu(action, gesture, around.location, states)) return null
    if ((action.role === 'option' && !isPart) || sorts(action) || copiesText(action.name)) return null
    if (putsAway(action) || turnsPages(action) || uncovers(action, survey)) return null
    // Once in a crawl, as the menu of an account; the entries of a menu that was opened just now are in nobody's way.
    const isLeftOut = isFrame || (inNavigation && !hasAppeared)
    if (isLeftOut && signatures.promise(signature) < 2) return null
    const isSampled = states.samples(around.location, structureOf(action, gesture)) > 0
    if (!isControl(action) && isSampled && !isOfStep) return null
    if (action.tag === 'label' || jumps(action)) return null
    // A hint or a frame came along with what is meant to be used.
    if (hasAppeared && around.hasNewControls && !isControl(action) && !opensEntry(action)) return null
  }
  const isBounded = !isAgain && !isUnfinished && !action.isSubmit && !goesOn && !isOfStep
  if (isBounded && isEnoughOf(action, gesture, around.location, states, pass)) return null
  const harm = harmOfControl(action.guard)
  const isDull = signatures.isDropped(kind, KIND_PATIENCE) || signatures.isDry(kind)
  const isPlain = !sends && !hasAppeared && !isUnfinished && !isPromising(action) && harm === null
  // Frames of fields and branches of trees, of which the others led nowhere.
  if (pass === 0 && isDull && isPlain) return null
  if (harm !== null && !mayHarm(harm, context)) {
    context.avoid(around.location, key, survey.url)
    return null
  }
  // What was asked for is confirmed: the question would not come again.
  const isAnswer = action.inDialog && hasAppeared
  const isConfirmed = isAnswer && around.isAsked === true
  if (harm === 'destroys' && !isConfirmed && pass !== 2 && endangersRights(action, survey, around, context))
    return null
  let score = signatures.promise(signature) * 5 - action.index * 0.001
  if (isDull) score -= 20
  if (isOwn(action.row)) score += 2
  // The next one is destroyed by the same request, and other pages need it.
  const isDestroyedAgain = harm === 'destroys' && !isAnswer && !isUnfinished && !ports.changes
  if (isDestroyedAgain && pass !== 2 && states.samples(around.location, sampleOf(action, gesture)) > 0)
    return null
  if (harm !== null && !isAnswer) score -= destructionPenalty(action, around, context)
  // A list that was searched hides what it had.
  if (sends) score += onlySearches(action, survey) ? 4 : 40
  else if (action.isSubmit) score += 15
  else if (action.form >= 0 && around.filledForms.has(action.form)) score += 25
  if (survey.dialogs > 0 && (action.inDialog || hasAppeared)) score += 25
  // What was opened just now goes away when anything else is used; a message does so by itself.
  const isStale = !action.inDialog && signatures.promise(signature) === 0
  if (hasAppeared && (action.inDialog || !undoes(action.name))) score += isStale ? 8 : 45
  if (isPromising(action)) score += 6
  if (isPart && signatures.promise(signature) === 2) score += 14
  else if (!isControl(action)) score += opensEntry(action) ? 6 : -8
  if (changesLanguage) score -= 30
  if (undoes(action.name) || copiesText(action.name)) score -= 14
  if (inNavigation) score -= 6
  if (action.role === 'option' && !isPart) score -= 12
  if (isAgain) score -= 4
  // Using a box again takes back what it brought to light.
  else if (wasActed) score -= 30
  score -= gesturePenalty[gesture]
  return score
}

/** Fruitless runs in a row, anywhere, after which an element is not tried again; undefined for the usual number. */
function patienceFor(action: PageAction, gesture: Gesture, isFrame: boolean, pass: Pass): number | undefined {
  if (pass === 2 && gesture === 'click' && !action.inNavigation) return LAST_PATIENCE
  return action.inNavigation || isFrame ? NAVIGATION_PATIENCE : undefined
}

/** What repeated elements have in common, for {@link States.markDone}. */
export function sampleOf(action: PageAction, gesture: Gesture): string {
  const structure = structureOf(action, gesture)
  // Buttons of rows are called alike, with the name of the row behind it.
  const [word = ''] = action.name.toLowerCase().split(/\P{L}+/u)
  return isNamedControl(action) ? `${structure} @${word}` : structure
}

function structureOf(action: PageAction, gesture: Gesture): string {
  return `${gesture}|${action.structure}|${action.within}`
}

function isEnoughOf(
  action: PageAction,
  gesture: Gesture,
  location: string,
  states: States,
  pass: Pass,
): boolean {
  const sample = sampleOf(action, gesture)
  if (action.inNavigation) return states.samples(location, sample) >= NAVIGATION_SAMPLES
  const [structure = '', word] = sample.split(' @')
  if (word === undefined) return states.samples(location, structure) >= SAMPLES
  const most = pass === 2 ? LAST_NAMED_SAMPLES : NAMED_SAMPLES
  return states.samples(location, sample) >= SAMPLES || states.samples(location, structure) >= most
}

/** Whether an element is a button or a tab named for itself, not for a record. */
export function isNamedControl({ tag, role, name }: PageAction): boolean {
  if (name === '' || name.length > CONTROL_NAME || /\d/.test(name)) return false
  return (
    /^(?:button|tab|menuitem|switch)$/.test(role) || /^(?:button|summary|input:(?:button|submit))/.test(tag)
  )
}

/** Whether an element only puts away a message, which goes by itself. */
function putsAway({ name, inDialog }: PageAction): boolean {
  if (inDialog) return false
  return (
    /^[x×✕✖✗🗙]$/iu.test(name.trim()) ||
    /^(?:close|dismiss|hide)\b.*\b(?:alert|message|notification|toast|tip|banner)\b/i.test(name)
  )
}

/** Whether an element is in a pagination, or turns the leaves of a calendar: it asks for other rows by the same request. */
function turnsPages({ structure }: PageAction): boolean {
  // A table that has pages says so as well: what is in its rows is farther from it.
  const near = structure.split('<').slice(0, 3).join('<')
  return (
    /pagination|paginator|paginate_|_paginate\b|\bpager\b/i.test(near) ||
    /calendar[-_\w]*(?:header|body|control|nav|month|year|day|cell|table)|date-?_?picker/i.test(structure)
  )
}

/** Whether an element shows a password that is hidden; a picture of an eye elsewhere opens what a row is about. */
function uncovers({ name, form }: PageAction, { fields }: PageSurvey): boolean {
  if (!showsHidden(name)) return false
  return (
    !/^(?:visibility|eye)$/i.test(name.trim()) ||
    fields.some((field) => field.form === form && field.type === 'password')
  )
}

/** Whether the right button may open the menu of an entry; one of each structure is tried at first. Buttons only draw waves. */
function opensOwnMenu(action: PageAction, gesture: Gesture, location: string, states: States): boolean {
  const isEntry =
    gesture === 'contextmenu' && !/^(?:button|input|a$)/.test(action.tag) && action.role !== 'button'
  return isEntry && states.samples(location, structureOf(action, gesture)) === 0
}

/** Whether an element is made to be used, by its tag or its role; others only happen to listen. */
export function isControl({ tag, role }: PageAction): boolean {
  return (
    /^(?:button|summary|a$|input)/.test(tag) ||
    /^(?:button|link|tab|switch|menuitem|menuitemcheckbox|menuitemradio|treeitem)$/.test(role)
  )
}

/** Whether a button outside of forms, as in the header of a page or a drawer, keeps what was filled in beside it. */
function keepsPage(
  { form, name }: PageAction,
  { filledForms }: Surroundings,
  inNavigation: boolean,
): boolean {
  return form < 0 && !inNavigation && filledForms.size > 0 && keepsChanges(name)
}

/** Whether an element is an entry of the navigation that is no link: nothing else may lead to the part that it shows. */
function leadsToPart({ inNavigation, tag, role, href }: PageAction): boolean {
  const isEntry = tag === 'li' || /^(?:option|listitem|menuitem|treeitem|link)$/.test(role)
  return inNavigation && isEntry && href === ''
}

/** Whether an element is a row or an entry that is clicked as a whole: behind it is the page of what it shows. */
function opensEntry({ tag, role, events }: PageAction): boolean {
  return (/^(?:tr|li)$/.test(tag) || /^(?:row|listitem)$/.test(role)) && events.includes('click')
}

/** Whether what an element sends is a search, and nothing else. */
function onlySearches({ form }: PageAction, { fields }: PageSurvey): boolean {
  const own = form < 0 ? [] : fields.filter((field) => field.form === form)
  return own.length > 0 && own.every(isSearched)
}

/** Whether an element that filling has brought to light or enabled may send what was filled in. */
function maySend({ tag, name, holdsField }: PageAction): boolean {
  return tag !== 'label' && !holdsField && !undoes(name) && (name === '' || /\p{L}/u.test(name))
}

/** Whether filling brought an element to light, or enabled it; what it brings to the frame of all pages is not meant. */
export function isWokenBy(action: PageAction, before: ReadonlySet<string>): boolean {
  const look = actionLook(action)
  if (before.has(look) || action.isDisabled) return false
  return !action.inNavigation || before.has(actionLook({ ...action, isDisabled: true }))
}

/** Whether a link only goes to another place of the page, and no script listens to it. */
function jumps({ tag, href, handlers }: PageAction): boolean {
  return tag === 'a' && /^#[^!/]/.test(href) && handlers === NO_HANDLERS
}

/** Where an element is, and what it is called. */
export function spotOf({ xpath, name }: PageAction): string {
  return `${xpath} ${name}`
}

/** Tags and classes of an element and the two that hold it. */
function placeOf({ structure }: PageAction): string {
  return structure.split('<').slice(0, 3).join('<')
}

/** Whether an element makes something, sends something, or shows what can be done with something. */
function isPromising(action: PageAction): boolean {
  const { name } = action
  // Where nothing says what a menu is about, it is what can be done with the row, or the list, that it belongs to.
  const isMenu = action.toggles && isControl(action) && (name === '' || name.startsWith('picture '))
  return isMenu || leadsOn(name) || begins(name) || opensMore(name) || selectsRow(action)
}

/** Whether an element is the box that selects a row: what can be done with several of them shows then. */
function selectsRow(action: PageAction): boolean {
  const isBox = action.role === 'checkbox' || action.tag === 'input:checkbox'
  return isBox && /<(?:td|tr|li)\./.test(action.structure)
}

/** Whether an element is in the head of a table: what it does there is to sort. */
function sorts({ role, structure }: PageAction): boolean {
  return role === 'columnheader' || /(?:^|<)th\./.test(structure)
}

/** A link whose target is loaded anyway, or is not of the crawl. */
function isPlainLink(action: PageAction, pageUrl: string, context: CrawlContext): boolean {
  if (action.tag !== 'a' && action.tag !== 'area') return false
  if (action.href === '' || action.href.startsWith('#') || /^javascript:/i.test(action.href)) return false
  if (!URL.canParse(action.href)) return false
  const target = new URL(action.href)
  if (!/^https?:$/.test(target.protocol) || !context.scope.judge(target).accepted) return true
  const here = new URL(pageUrl)
  // A link to the page itself that listens does something else.
  return !(target.href === here.href && action.events.length > 1)
}

/**
 * The actions that a page offers `after` an action and not before: what it brought to light and is worth bringing to light
 * again. What is not made to be used is so only where nothing else came.
 */
export function revealedBy(
  after: PageSurvey,
  before: PageSurvey,
  context: CrawlContext,
  actedRow = '',
): ChosenAction[] {
  const around = { location: after.url, actedRow }
  const isLeftOut = (action: PageAction): boolean => {
    const harm = harmOfControl(action.guard)
    if (harm === null) return false
    return !mayHarm(harm, context) || (harm === 'destroys' && endangersRights(action, after, around, context))
  }
  const known = new Set(before.actions.map(actionLook))
  const fields = new Set(after.fields.map(({ xpath }) => xpath))
  const came = after.actions
    .filter((action) => !action.isDisabled && !known.has(actionLook(action)))
    .filter((action) => !isPlainLink(action, before.url, context))
    .filter((action) => !action.holdsField && !fields.has(action.xpath) && !undoes(action.name))
    // What is left out would keep the menu open for ever.
    .filter((action) => !isLeftOut(action))
  const controls = came.filter(isControl)
  return (controls.length > 0 ? controls : came).flatMap((action) =>
    offeredGestures(action, context)
      .slice(0, 1)
      .map((gesture) => candidate(action, gesture, after)),
  )
}
