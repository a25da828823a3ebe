import type { CallElement } from './harvest.ts'
import type { PageAction } from './page/survey-types.ts'

const MAX_CAUSE = 600
/** Gesture, XPath (which has no blanks) and name. */
const CAUSE = /^[a-z]+ (\/\S*) ?(.*)$/s

/** A name that the survey draws from the shape of a picture, to tell elements apart. */
const DRAWN = /^picture [a-z]+$/

/** What people call an element: its name, else its id (an icon has no name). */
export function nameOfAction({ name, id }: Pick<PageAction, 'name' | 'id'>): string {
  if (DRAWN.test(name)) return id === '' ? 'icon' : id
  return name === '' ? id : name
}

/** Tells the requests that an action makes what made them. */
export function actionCause(gesture: string, action: Pick<PageAction, 'name' | 'id' | 'xpath'>): string {
  return `${gesture} ${action.xpath} ${nameOfAction(action)}`.slice(0, MAX_CAUSE)
}

/** The element whose action made a request, by its cause. */
export function elementOf(cause: string | null): CallElement {
  const match = CAUSE.exec(cause ?? '')
  return { sourceXpath: match?.[1] ?? '', text: match?.[2] ?? '' }
}
