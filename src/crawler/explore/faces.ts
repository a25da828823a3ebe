import { actionLook } from './fingerprint.ts'
import { stableId } from './page/describe-element.ts'
import type { PageSurvey } from './page/survey-types.ts'

/** Elements below which a page is too small to be told from another by its look. */
const LEAST_ELEMENTS = 30
/** Share of what can be acted on that twins have in common. */
const ALIKE = 0.85
/** Share that a page has in common with the stand-in for it, where it is not the page itself. */
const SAME = 0.95
/** Pages remembered. */
const PAGES = 500

/** How a page looks, for comparison. */
export interface Face {
  readonly outline: string
  readonly looks: ReadonlySet<string>
}

/** Remembers how pages look, to notice one that is shown at several addresses. */
export class Faces {
  readonly #faces: Face[] = []

  /** Whether a page like this was seen before: same title, headings and fields, and nearly the same elements. */
  isTwin(survey: PageSurvey): boolean {
    if (survey.elements < LEAST_ELEMENTS) return false
    const face = faceOf(survey)
    const isKnown = this.#faces.some((other) => other.outline === face.outline && areAlike(other, face))
    if (isKnown) return true
    this.#faces.push(face)
    if (this.#faces.length > PAGES) this.#faces.shift()
    return false
  }
}

/** The look of a page. */
export function faceOf(survey: PageSurvey): Face {
  const fields = survey.fields.map(
    (field) => `${field.type} ${field.name} ${stableId(field.id)} ${field.label.slice(0, 60)}`,
  )
  return {
    outline: [survey.title, ...survey.headings, ...fields].join('\n').replace(/\d+/g, '#').slice(0, 2_000),
    looks: new Set(survey.actions.slice(0, 200).map((action) => `${actionLook(action)}|${action.handlers}`)),
  }
}

/** Whether a page is the one shown instead of pages that do not exist. */
export function isStandIn(survey: PageSurvey, standIn: Face): boolean {
  const face = faceOf(survey)
  return (
    survey.elements >= LEAST_ELEMENTS && face.outline === standIn.outline && areAlike(face, standIn, SAME)
  )
}

function areAlike(left: Face, right: Face, share = ALIKE): boolean {
  return likenessOf(left, right) >= share
}

/** Share of what can be acted on that two pages have in common (Jaccard); 1 where neither has anything. */
export function likenessOf(left: Face, right: Face): number {
  let common = 0
  for (const look of left.looks) if (right.looks.has(look)) common++
  const all = left.looks.size + right.looks.size - common
  return all === 0 ? 1 : common / all
}
