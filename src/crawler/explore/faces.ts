import { isControl, steadyName } from './choose-action.ts'
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

/** Share of a page's kinds of elements that may be new on it; with more, it is not like the pages before it. */
const OTHER = 0.05
/** Segments of an address that have to be the same, beside the one that may be a name. */
const SAME_SEGMENTS = 2
/** Families remembered. */
const FAMILIES = 5_000

/** Pages whose addresses differ in one segment. */
interface Family {
  readonly kinds: Set<string>
  alike: number
}

/** How a page looks, for comparison. */
export interface Face {
  readonly outline: string
  readonly looks: ReadonlySet<string>
}

/** Remembers how pages look, to notice one that is shown at several addresses. */
export class Faces {
  readonly #faces: Face[] = []
  readonly #families = new Map<string, Family>()

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

  /**
   * Pages before this one, at addresses that differ in one segment, that had hardly any other kinds of controls and fields:
   * records with names, mostly. It counts as one of them from now on.
   */
  countAlike(survey: PageSurvey): number {
    const kinds = kindsOf(survey)
    let most = 0
    for (const name of familiesOf(survey.url)) {
      const known = this.#families.get(name)
      if (known === undefined) {
        if (this.#families.size < FAMILIES) this.#families.set(name, { kinds: new Set(kinds), alike: 1 })
        continue
      }
      const others = kinds.filter((kind) => !known.kinds.has(kind))
      for (const kind of others) known.kinds.add(kind)
      if (others.length <= kinds.length * OTHER) most = Math.max(most, known.alike++)
    }
    return most
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

/** What can be used on a page, whatever it is called, and what can be filled in. */
function kindsOf({ actions, fields }: PageSurvey): string[] {
  return [
    ...new Set([
      ...actions.filter(isControl).map(({ structure }) => structure.replace(/\d+/g, '#')),
      ...fields.map((field) => `field ${field.type} ${steadyName(field)}`),
    ]),
  ]
}

/** Addresses with `*` for one of the last two segments. */
function familiesOf(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { origin, pathname, hash } = new URL(address)
  const segments = (/^#!?\//.test(hash) ? hash : pathname).split('/').filter((each) => each !== '')
  if (segments.length <= SAME_SEGMENTS) return []
  return [segments.length - 1, segments.length - 2].map(
    (at) => `${origin}/${segments.map((each, index) => (index === at ? '*' : each)).join('/')}`,
  )
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
