import { steadyName } from './choose-action.ts'
import { keepsChanges, leadsOn, stopsService, undoes } from './control-words.ts'
import type { CrawlContext } from './crawl-context.ts'
import { actionLook } from './fingerprint.ts'
import { changedValue } from './forms/changed-value.ts'
import { fieldValue, isSearched } from './forms/field-value.ts'
import { englishAmong, isOfLanguages } from './forms/languages.ts'
import { otherValue } from './forms/other-value.ts'
import { harmOfControl } from './harm-of-action.ts'
import { withoutQuery } from './locations.ts'
import type { FieldValue, PageAction, PageField, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** Files uploaded in one crawl. */
const MAX_UPLOADS = 10
/** Characters typed key by key. */
const MOST_TYPED = 30
/** Milliseconds after which a list has begun to ask for what is searched for. */
const SEARCH_MS = 500
const WEEK = 7
/** Times one value is changed only to have something to save. */
const EDITS = 3
/** Boxes that are opened when a page is filled, and times one of them is in a crawl: each takes as long as an action. */
const BOXES = 6
const CHOICES = 3
/** Other values tried where a form does not take those it got. */
const MENDINGS = 3

/**
 * Fills every field of the page that was not filled before. Custom select boxes are opened and their first option taken.
 *
 * @param filled fields that are filled already; those filled now are added
 * @returns forms (by number) that got values
 */
export async function fillPage(
  view: PageView,
  survey: PageSurvey,
  filled: Set<string>,
  context: CrawlContext,
): Promise<Set<number>> {
  const forms = new Set<number>()
  const values: FieldValue[] = []
  const radios = new Map<string, number>()
  const makesNew = makesSomething(survey)
  for (const field of survey.fields) {
    const radio = `${field.form} ${field.name}`
    const ordinal = radios.get(radio) ?? 0
    if (field.type === 'radio') radios.set(radio, ordinal + 1)
    const place = freshPlaceOf(field, filled, filters(field, survey))
    if (place === null || isKnownFrame(field, filled, context)) continue
    if (/^(?:checkbox|radio|select)$/.test(field.type) && stopsService(field.label)) continue
    if (field.type === 'file' && !mayUpload(`${survey.url} ${place}`, context)) continue
    if (filters(field, survey) && !context.filters.add(`search ${withoutQuery(survey.url)} ${place}`))
      continue
    const value = fieldValue(
      field,
      {
        persona: context.persona,
        own: context.options.values ?? {},
        // What a crawl that changes nothing writes carries its mark; what refers to something else cannot.
        seen: (name) =>
          context.ports.changes && !/(?:id|code|type|kind|status)$/i.test(name)
            ? null
            : context.knowledge.valueOf(name),
        term: termOf(survey),
        key: uniqueKey,
        makesNew,
        isSignedIn: context.ports.session !== null || context.options.identity !== 'anonymous',
      },
      ordinal,
    )
    filled.add(place)
    if (value || !field.isRefused) forms.add(field.form)
    if (value) values.push(value)
  }
  for (const { form, value } of editsOf(survey, forms, values.length > 0, context)) {
    forms.add(form)
    values.push(value)
  }
  if (values.length > 0) await view.fill(values)
  await editInPlace(view, survey, context)
  const written = new Set(values.map(({ index }) => index))
  const searches = survey.fields.filter((field) => written.has(field.index) && filters(field, survey))
  if (searches.length > 0) await clearFilters(view, survey, searches)
  for (const field of survey.fields) {
    const text = values.find(({ index }) => index === field.index)?.text
    if (field.type === 'editable' && text !== undefined) await typeInto(view, field, text)
  }
  for (const form of await chooseAll(view, survey, filled, context)) forms.add(form)
  return forms
}

/** Chooses from the boxes of a page that show what nobody has chosen. @returns their forms */
async function chooseAll(
  view: PageView,
  survey: PageSurvey,
  filled: Set<string>,
  context: CrawlContext,
): Promise<Set<number>> {
  const forms = new Set<number>()
  let opened = 0
  for (const field of survey.fields) {
    if (
      stopsService(field.label) ||
      field.type !== 'combobox' ||
      filled.has(`chosen ${spotOf(field)} ${field.value}`)
    )
      continue
    // The box of the same dialog, opened again, shows it again.
    const times = [1, 2, 3].find((time) => !filled.has(`open ${spotOf(field)} ${time}`))
    if (times === undefined || opened === BOXES || !mayChoose(survey, field, context)) continue
    opened++
    filled.add(`open ${spotOf(field)} ${times}`)
    const chosen = await choose(view, field, survey, context)
    if (chosen !== null) filled.add(`chosen ${spotOf(field)} ${chosen}`)
    forms.add(field.form)
  }
  return forms
}

/** A form that refuses what its box shows has it chosen again and again. */
function mayChoose({ url }: PageSurvey, field: PageField, { filters }: CrawlContext): boolean {
  const place = `choose ${withoutQuery(url)} ${spotOf(field)} ${field.label.slice(0, 60)}`
  return (
    field.isRefused ||
    Array.from({ length: CHOICES }, (_, at) => `${place} ${at}`).some((each) => filters.add(each))
  )
}

/**
 * Forms with nothing to save get one value changed: what exists already is only saved when it is different. A button
 * outside of forms that speaks of saving, as in the header of a page, saves what stands outside of forms as well.
 */
export function editsOf(
  survey: PageSurvey,
  forms: ReadonlySet<number>,
  isWritten: boolean,
  context: CrawlContext,
): { readonly form: number; readonly value: FieldValue }[] {
  const waiting = survey.actions
    .filter((action) => action.isDisabled && (action.isSubmit || leadsOn(action.name) || saves(action.name)))
    .filter(({ form }) => form >= 0 && !forms.has(form))
  const idle = new Set(waiting.map(({ form }) => form))
  const saving = survey.actions.filter(
    ({ isDisabled, form, inNavigation, name }) => isDisabled && form < 0 && !inNavigation && saves(name),
  )
  let isPageIdle = !isWritten
  const edits: { form: number; value: FieldValue }[] = []
  // Another text does less than another name, by which something may be found.
  const fields = [...survey.fields].sort((left, right) => identifies(left) - identifies(right))
  for (const field of fields) {
    const isBeside = field.form < 0 && saving.some(({ inDialog }) => inDialog === field.inDialog)
    const isMeant = idle.has(field.form) || (isPageIdle && isBeside && !field.inNavigation)
    if (!isMeant || isSearched(field)) continue
    const value = changedValue(field)
    if (value === null || !mayEdit(survey, field, context)) continue
    idle.delete(field.form)
    isPageIdle = false
    edits.push({ form: field.form, value })
  }
  return edits
}

/** How much a field identifies something: 0 for a text about it, 2 for its name. */
function identifies({ name, label }: PageField): number {
  const words = `${name} ${label}`.toLowerCase()
  if (/descr|note|comment|display|title|remark|about|summary|caption/.test(words)) return 0
  return /\bname\b|slug|alias|identifier|\brealm\b|\bkey\b/.test(words) ? 2 : 1
}

/** A text that turned into a field where it stands has no button: Enter keeps it, or leaving it. */
async function editInPlace(view: PageView, survey: PageSurvey, context: CrawlContext): Promise<void> {
  const field = survey.fields.find(
    ({ isFocused, form, inNavigation }) => isFocused && form < 0 && !inNavigation,
  )
  if (!field || isSearched(field)) return
  const value = changedValue(field)
  if (value === null || !mayEdit(survey, field, context)) return
  await view.fill([{ ...value, keepsFocus: true }])
  if (field.tag === 'input') await view.page.input.press('Enter')
  // Gone when Enter was enough.
  await view.fill([value])
}

/** Whether a name, or that of a picture, speaks of keeping what was changed. */
function saves(name: string): boolean {
  return keepsChanges(name) || /\b(?:update|apply|change|confirm|übernehmen)\b/i.test(name)
}

/** A value is changed a few times in a crawl: one that was saved could be changed and saved for ever. */
function mayEdit({ url }: PageSurvey, field: PageField, { filters }: CrawlContext): boolean {
  const place = `edit ${withoutQuery(url)} ${spotOf(field)}`
  return Array.from({ length: EDITS }, (_, at) => `${place} ${at}`).some((each) => filters.add(each))
}

/** A search box of the frame of all pages is filled on two pages: it does the same on each. */
function isKnownFrame(field: PageField, filled: ReadonlySet<string>, { filters }: CrawlContext): boolean {
  if (!field.inNavigation || field.form >= 0 || filled.has(placeOf(field))) return false
  const look = `frame ${field.type} ${field.name} ${field.label.slice(0, 60)}`
  return !filters.add(`${look} 1`) && !filters.add(`${look} 2`)
}

/**
 * Whether a field is searched by as soon as it has a value: nothing sends it. Buttons beside it mostly do something else,
 * unless its form has other texts to write, or needs it.
 */
export function filters(field: PageField, survey: Pick<PageSurvey, 'actions' | 'fields'>): boolean {
  const { actions, fields } = survey
  const isOfRecord =
    field.isRequired ||
    fields.some(
      (other) =>
        other.form === field.form &&
        other.index !== field.index &&
        /^(?:text|textarea|editable|email|password|url|tel)$/.test(other.type) &&
        !isSearched(other),
    )
  if (isOfRecord) return isSearched(field) && !isSent(field, survey)
  const searches = ({ form, isSubmit, name }: PageAction): boolean =>
    form === field.form &&
    (isSubmit || /^\P{L}*(?:search|find|go|filter|apply|suchen|buscar|rechercher)\b/iu.test(name))
  return isSearched(field) && !(field.form >= 0 && actions.some(searches))
}

/** A list that was searched hides what it had: once it was asked for, it shows all of it again, unless it shows more now. */
async function clearFilters(
  view: PageView,
  before: PageSurvey,
  searches: readonly PageField[],
): Promise<void> {
  await view.page.quiet({ quietMs: SEARCH_MS, capMs: 3 * SEARCH_MS })
  const now = await view.survey()
  const known = new Set(before.actions.map(actionLook))
  // A button that empties the box is no result.
  const results = now.actions.filter((action) => !known.has(actionLook(action)) && !undoes(action.name))
  if (now.actions.length >= before.actions.length && results.length > 0) return
  const places = new Set(searches.map(({ xpath }) => xpath))
  const fields = now.fields.filter((field) => places.has(field.xpath) && field.value !== '')
  await view.fill(fields.map(({ index }) => ({ index, text: '' })))
}

/** Editors keep their own text, and take in only what is typed. */
async function typeInto(view: PageView, { index }: PageField, text: string): Promise<void> {
  await view.act({ index, needsHover: false }, 'focus')
  await view.fill([{ index, text }])
  await view.page.input.type(text.slice(0, MOST_TYPED))
}

/**
 * A key for filling a field; null when it was filled. One that is empty again is filled again, a few times; a search is
 * not, since that would hide once more what it showed.
 */
function freshPlaceOf(field: PageField, filled: ReadonlySet<string>, isSearch: boolean): string | null {
  const place = placeOf(field)
  if (!filled.has(place)) return place
  if (isSearch) return null
  const isText = /^(?:text|email|password|textarea|editable|url|tel|number)$/.test(field.type)
  if (!isText || field.value !== '') return null
  return ['2', '3'].map((time) => `${place} ${time}`).find((each) => !filled.has(each)) ?? null
}

/**
 * Chooses from a box. One that acts on its own, as a filter does, was seen to do so then: there is nothing to send.
 *
 * @returns what the box shows then; null when nothing was chosen
 */
async function choose(
  view: PageView,
  field: PageField,
  survey: PageSurvey,
  context: CrawlContext,
): Promise<string | null> {
  const box = `${withoutQuery(survey.url)} ${field.xpath}`
  if (context.filters.has(box)) return null
  const started = performance.now()
  const chosen = await chooseOption(view, field.xpath)
  const acts = view.page.url !== survey.url || context.callsSince(view.page.id, started).length > 0
  // An input asks for what it offers.
  if (acts && field.tag !== 'input' && !isSent(field, survey)) context.filters.add(box)
  return chosen
}

/** A key that this process has not used before: what was made before keeps its own. */
function uniqueKey(): string {
  return `vigil-${Date.now().toString(36).slice(-5)}${(made++ % 1296).toString(36).padStart(2, '0')}`
}
let made = 0

/** Whether something on the page sends what is in the form of a field. */
function isSent({ form }: PageField, { actions }: Pick<PageSurvey, 'actions'>): boolean {
  return (
    form >= 0 &&
    actions.some(
      (action) => action.form === form && (action.isSubmit || action.isDisabled || leadsOn(action.name)),
    )
  )
}

/**
 * Gives fields that refuse their value another one, a few times: what a form wants is often written only in its script.
 * Fields that nothing was written into stay as they are.
 *
 * @param tried how many other values each field got
 * @returns what the page shows then
 */
export async function mendPage(
  view: PageView,
  survey: PageSurvey,
  forms: ReadonlySet<number>,
  tried: Map<string, number>,
  rounds = MENDINGS,
): Promise<PageSurvey> {
  let current = survey
  for (let round = 0; round < rounds; round++) {
    const values: FieldValue[] = []
    for (const field of current.fields) {
      if (!field.isRefused || !forms.has(field.form)) continue
      const times = tried.get(placeOf(field)) ?? 0
      const other = otherValue(field, times, uniqueKey())
      tried.set(placeOf(field), times + 1)
      if (other) values.push(other)
    }
    if (values.length === 0) return current
    await view.fill(values)
    await view.page.quiet({ quietMs: 60, capMs: 400 })
    current = await view.survey()
  }
  return current
}

/**
 * Opens a box that a framework drew and takes its first option that is not disabled. Its options may be anywhere in the
 * document, and may need a letter to be offered.
 *
 * @returns what the box shows then; null when nothing was offered
 */
async function chooseOption(view: PageView, xpath: string): Promise<string | null> {
  const closed = await view.survey()
  const before = new Set(closed.actions.map(spotOf))
  const box = closed.fields.find((field) => field.xpath === xpath)
  if (!box || !(await view.act({ index: box.index, needsHover: false }, 'click'))) return null
  await view.page.quiet({ quietMs: 100, capMs: 600 })
  let option = await offered(view, before)
  for (const key of box.tag === 'input' ? ['a', 'Backspace'] : []) {
    if (option !== undefined) break
    await view.page.input.press(key)
    await view.page.quiet({ quietMs: 250, capMs: 1200 })
    option = await offered(view, before)
  }
  // A box of tags has none before somebody makes one.
  if (option === undefined && box.tag === 'input' && box.role === 'combobox' && box.value === '') {
    await view.page.input.type(uniqueKey())
    await view.page.quiet({ quietMs: 250, capMs: 1200 })
    option = await offered(view, before)
  }
  if (option) await view.act(option, 'click')
  else if (box.role !== '' || box.tag !== 'input') await view.page.input.press('Escape')
  await view.page.quiet({ quietMs: 80, capMs: 500 })
  if (!option) return null
  return (await view.survey()).fields.find((field) => field.xpath === xpath)?.value ?? null
}

async function offered(view: PageView, before: ReadonlySet<string>): Promise<PageAction | undefined> {
  const { actions } = await view.survey()
  return optionAmong(actions.filter((action) => !action.isDisabled && !before.has(spotOf(action))))
}

/** The option that is chosen of what a box offers; never one that destroys something or signs out. */
export function optionAmong(came: readonly PageAction[]): PageAction | undefined {
  if (isOfLanguages(came)) return englishAmong(came)
  const harmless = came.filter(({ guard }) => harmOfControl(guard) === null)
  return harmless.find(isOption) ?? chosenOf(harmless)
}

/** Some libraries draw options and days without a role: of those that came, the kind that came most often. */
function chosenOf(came: readonly PageAction[]): PageAction | undefined {
  const kinds = new Map<string, PageAction[]>()
  for (const action of came) {
    if (action.isSubmit || action.href !== '' || undoes(action.name)) continue
    const kind = kinds.get(action.structure)
    if (kind) kind.push(action)
    else kinds.set(action.structure, [action])
  }
  const [most = []] = [...kinds.values()].sort((left, right) => right.length - left.length)
  if (most.length < 2) return undefined
  // Days that are over are often refused; the last one is the farthest.
  const isCalendar = most.length >= WEEK && most.every(({ name }) => /^\d/.test(name))
  return isCalendar ? most.at(-1) : most[0]
}

/** A form is sent with a file twice at most, so that one page does not use up what may be uploaded. */
function mayUpload(place: string, { counts, uploads }: CrawlContext): boolean {
  if (counts.uploads >= MAX_UPLOADS || (!uploads.add(`1 ${place}`) && !uploads.add(`2 ${place}`)))
    return false
  counts.uploads++
  return true
}

/** An element that was the only one of its kind stays the first when others come: menus do, beside a dialog. */
function spotOf({ xpath }: Pick<PageField, 'xpath'>): string {
  return xpath.replaceAll('[1]', '')
}

/** The next step of a wizard has other fields in the same places. */
function placeOf(field: PageField): string {
  return `${spotOf(field)} ${field.type} ${steadyName(field)} ${field.label.slice(0, 60)}`
}

function isOption(action: PageAction): boolean {
  return action.role === 'option' || action.role === 'menuitemradio'
}

/** Whether a page, or what lies over it, makes something new, as far as its address and its buttons tell. */
function makesSomething({ url, actions, dialogs }: PageSurvey): boolean {
  if (/\b(?:new|add|create|register|import|invite)\b/i.test(withoutQuery(url).replace(/^\w+:\/\/[^/]+/, '')))
    return true
  return actions.some(
    ({ inDialog, name, isSubmit }) =>
      /^(?:create|add|register|invite)\b/i.test(name) && (isSubmit || (dialogs > 0 && inDialog)),
  )
}

/** A word that stands on the page: searching for it finds something. */
function termOf(survey: PageSurvey): string {
  const inPage = survey.links.filter(({ inNavigation }) => !inNavigation)
  for (const text of [
    ...survey.headings.slice(1),
    ...[...inPage, ...survey.links].map((link) => link.text),
  ]) {
    const word = /\p{L}{4,20}/u.exec(text)
    if (word) return word[0]
  }
  return 'a'
}
