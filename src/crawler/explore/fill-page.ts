import { leadsOn } from './choose-action.ts'
import type { CrawlContext } from './crawl-context.ts'
import { fieldValue } from './forms/field-value.ts'
import { otherValue } from './forms/other-value.ts'
import type { FieldValue, PageAction, PageField, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** Files uploaded in one crawl. */
const MAX_UPLOADS = 10
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
  for (const field of survey.fields) {
    const radio = `${field.form} ${field.name}`
    const ordinal = radios.get(radio) ?? 0
    if (field.type === 'radio') radios.set(radio, ordinal + 1)
    const place = placeOf(field)
    if (filled.has(place)) continue
    if (field.type === 'file' && !mayUpload(`${survey.url} ${place}`, context)) continue
    const value = fieldValue(
      field,
      {
        persona: context.persona,
        own: context.options.values ?? {},
        seen: (name) => context.knowledge.valueOf(name),
        term: termOf(survey),
      },
      ordinal,
    )
    filled.add(place)
    forms.add(field.form)
    if (value) values.push(value)
  }
  if (values.length > 0) await view.fill(values)
  for (const field of survey.fields) {
    if (field.type !== 'combobox' || filled.has(`open ${field.xpath}`)) continue
    filled.add(`open ${field.xpath}`)
    await choose(view, field, survey, context)
  }
  return forms
}

/** Chooses from a box. One that acts by itself, as a filter does, was seen to do so then: there is nothing to send. */
async function choose(
  view: PageView,
  field: PageField,
  survey: PageSurvey,
  context: CrawlContext,
): Promise<void> {
  const box = `${survey.url.replace(/\?[^#]*/g, '')} ${field.xpath}`
  if (context.filters.has(box)) return
  const started = performance.now()
  await chooseOption(view, field.xpath)
  const acts = view.page.url !== survey.url || context.callsSince(view.page.id, started).length > 0
  if (acts && !isSent(field, survey)) context.filters.add(box)
}

/** Whether something on the page sends what is in the form of a field. */
function isSent({ form }: PageField, { actions }: PageSurvey): boolean {
  return (
    form >= 0 &&
    actions.some(
      (action) => action.form === form && (action.isSubmit || action.isDisabled || leadsOn(action.name)),
    )
  )
}

/**
 * Gives fields that refuse their value another one, a few times: what a form wants is often written only in its script.
 * Fields that nothing was written into are left alone.
 *
 * @returns what the page shows then
 */
export async function mendPage(
  view: PageView,
  survey: PageSurvey,
  forms: ReadonlySet<number>,
): Promise<PageSurvey> {
  let current = survey
  for (let round = 0; round < MENDINGS; round++) {
    const values: FieldValue[] = []
    for (const field of current.fields) {
      const other = field.isRefused && forms.has(field.form) ? otherValue(field, round) : null
      if (other) values.push(other)
    }
    if (values.length === 0) return current
    await view.fill(values)
    await view.page.quiet({ quietMs: 60, capMs: 400 })
    current = await view.survey()
  }
  return current
}

/** Opens a box that a framework drew and takes its first option that is not disabled. */
async function chooseOption(view: PageView, xpath: string): Promise<void> {
  const closed = await view.survey()
  const before = new Set(closed.actions.filter(isOption).map((action) => action.xpath))
  const box = closed.actions.find((action) => action.xpath === xpath)
  if (!box || !(await view.act(box, 'click'))) return
  await view.page.quiet({ quietMs: 100, capMs: 600 })
  const option = (await view.survey()).actions.find(
    (action) => isOption(action) && !action.isDisabled && !before.has(action.xpath),
  )
  if (option) await view.act(option, 'click')
  else await view.page.input.press('Escape')
  await view.page.quiet({ quietMs: 80, capMs: 500 })
}

/** A form is sent with a file twice at most, so that one page does not use up what may be uploaded. */
function mayUpload(place: string, { counts, uploads }: CrawlContext): boolean {
  if (counts.uploads >= MAX_UPLOADS || (!uploads.add(`1 ${place}`) && !uploads.add(`2 ${place}`)))
    return false
  counts.uploads++
  return true
}

/** The next step of a wizard has other fields in the same places. */
function placeOf(field: PageField): string {
  return `${field.xpath} ${field.type} ${field.name} ${field.id} ${field.label.slice(0, 60)}`
}

function isOption(action: PageAction): boolean {
  return action.role === 'option' || action.role === 'menuitemradio'
}

/** A word that stands on the page: searching for it finds something. */
function termOf(survey: PageSurvey): string {
  for (const text of [...survey.headings.slice(1), ...survey.links.map((link) => link.text)]) {
    const word = /\p{L}{4,20}/u.exec(text)
    if (word) return word[0]
  }
  return 'a'
}
