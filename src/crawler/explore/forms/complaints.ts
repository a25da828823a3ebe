import type { PageAction, PageField, PageSurvey } from '../page/survey-types.ts'

/**
 * The survey with the fields marked as refused that the application complained of when a form was sent: by a text that
 * came below them, or by their name in the answer. Where it names none, the first text of the form is meant. Fields that
 * the page marks by itself stay the only ones.
 *
 * @param before what the page showed when the form was sent
 * @param answer beginning of the answer that refused it; null or '' without
 * @param isSent whether a field belongs to what was sent
 */
export function withComplaints(
  after: PageSurvey,
  before: PageSurvey,
  answer: string | null,
  isSent: (field: PageField) => boolean,
): PageSurvey {
  const texts = after.fields.filter((field) => isSent(field) && /^(?:text|textarea|number)$/.test(field.type))
  if (after.fields.some((field) => isSent(field) && field.isRefused)) return after
  const hints = new Map(before.fields.map(({ xpath, hint }) => [xpath, hint]))
  const complained = texts.filter(({ xpath, hint }) => speaksAnew(hint, hints.get(xpath)))
  const named = answer ? texts.filter((field) => isNamedIn(answer, field)) : []
  const others = answer ? texts.slice(0, 1) : []
  const blamed = new Set([complained, named, others].find(({ length }) => length > 0))
  if (blamed.size === 0) return after
  const said = (answer ?? '').toLowerCase().slice(0, 500)
  const fields = after.fields.map((field) =>
    blamed.has(field) ? { ...field, isRefused: true, hint: `${field.hint} ${said}` } : field,
  )
  return { ...after, fields }
}

/** Whether a field belongs to the form of an action, or, where it has none, to one of those that were filled. */
export function isSentBy({ form }: PageAction, filled: ReadonlySet<number>): (field: PageField) => boolean {
  return form >= 0 ? (field) => field.form === form : (field) => filled.has(field.form)
}

/** Whether words came to a hint; a counter of characters is none. */
function speaksAnew(hint: string, before: string | undefined): boolean {
  const words = (text: string): string => text.replace(/[\d\s/]+/g, ' ')
  return before !== undefined && words(hint) !== words(before) && hint.length > before.length
}

function isNamedIn(answer: string, { name, id }: PageField): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const text = plain(answer)
  return [name, id].some((each) => plain(each).length >= 3 && text.includes(plain(each)))
}
