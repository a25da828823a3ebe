import type { CrawlContext } from './crawl-context.ts'
import type { PageAction } from './page/survey-types.ts'
import type { Gesture } from './page-view.ts'

/** How much later a gesture is tried than a click. */
export const gesturePenalty: Readonly<Record<Gesture, number>> = {
  click: 0,
  enter: 3,
  dblclick: 8,
  focus: 9,
  hover: 10,
  contextmenu: 12,
  longpress: 14,
  drag: 14,
}

/** Gestures that an element is made for, the likely one first. */
export function gesturesOf(action: PageAction): Gesture[] {
  const has = (pattern: RegExp) => action.events.some((kind) => pattern.test(kind))
  const gestures: Gesture[] = []
  // What shows a hint while the mouse is over it listens for the finger for the same purpose.
  const isHint = has(/^mouse(over|enter)$/)
  if (has(/^(click|auxclick|tap|mouse(down|up)|pointer(down|up))/) || (has(/^touch/) && !isHint))
    gestures.push('click')
  if (has(/^dblclick$/)) gestures.push('dblclick')
  if (has(/^contextmenu$/)) gestures.push('contextmenu')
  if (has(/^(mouse(over|enter|move)|pointer(over|enter))$/)) gestures.push('hover')
  const isHandle = has(/^(mousedown|pointerdown)$/) && /\bdrag|sortable|reorder/.test(action.guard)
  if (has(/^dragstart$/) || isHandle) gestures.push('drag')
  // Whatever answers clicks does the same for a key, and listens for focus and pressing for the sake of its looks.
  if (action.answersClick && gestures.includes('click')) return gestures
  if (has(/^focus/)) gestures.push('focus')
  if (has(/^key/)) gestures.push('enter')
  if (has(/^(mousedown|pointerdown)$/) || (has(/^touchstart$/) && !isHint)) gestures.push('longpress')
  return gestures
}

/** Gestures of an element that the crawl may make. Where nothing may change, nothing is dragged: a GET may keep the new order. */
export function offeredGestures(action: PageAction, { ports }: CrawlContext): Gesture[] {
  return gesturesOf(action).filter((gesture) => gesture !== 'drag' || !ports.changes)
}
