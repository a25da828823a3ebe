import type { PageDocument, PageElement, PageWindow } from './dom.ts'
import type { ActionPoint } from './survey-types.ts'

/*
 * Runs in the browser, as text. What other files of the page script define is declared here.
 */
declare const known: PageElement[]
declare const closedRoots: PageElement[]
declare const document: PageDocument
declare const window: PageWindow
declare const MouseEvent: new (type: string, init: Readonly<Record<string, unknown>>) => unknown
declare const PointerEvent: new (type: string, init: Readonly<Record<string, unknown>>) => unknown
declare const DragEvent: new (type: string, init: Readonly<Record<string, unknown>>) => unknown
declare const DataTransfer: new () => unknown
declare function isVisible(element: PageElement): boolean
declare const KeyboardEvent: new (type: string, init: Readonly<Record<string, unknown>>) => unknown

/** Brings an element into view and says where to click it, in coordinates of the tab. */
export function point(index: number): ActionPoint {
  const element = known[index]
  if (!element?.isConnected) return { x: 0, y: 0, isHit: false, isThere: false }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const box = element.getBoundingClientRect()
  let x = box.left + box.width / 2
  let y = box.top + box.height / 2
  const root = element.getRootNode() as unknown as PageDocument
  const top = ('elementFromPoint' in root ? root : element.ownerDocument).elementFromPoint(x, y)
  const isHit = top !== null && (element.contains(top) || top.contains(element))
  let view = element.ownerDocument.defaultView
  while (view?.frameElement) {
    const frame = view.frameElement.getBoundingClientRect()
    x += frame.left
    y += frame.top
    view = view.frameElement.ownerDocument.defaultView
  }
  const inView = x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight
  return { x, y, isHit: isHit && inView && box.width > 0, isThere: true }
}

/** Fires events on an element by script: for what is covered, and for kinds that no trusted input makes. */
export function fire(index: number, kind: string): boolean {
  const element = known[index]
  if (!element?.isConnected) return false
  const init = { bubbles: true, cancelable: true, composed: true, view: element.ownerDocument.defaultView }
  const mouse = (type: string, button = 0) =>
    element.dispatchEvent(
      new (type.startsWith('pointer') ? PointerEvent : MouseEvent)(type, { ...init, button }),
    )
  if (kind === 'click') {
    for (const type of ['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'pointerup', 'mouseup'])
      mouse(type)
    element.click()
  } else if (kind === 'dblclick') {
    mouse('click')
    mouse('click')
    mouse('dblclick')
  } else if (kind === 'contextmenu') {
    mouse('contextmenu', 2)
  } else if (kind === 'hover') {
    for (const type of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'mousemove']) mouse(type)
  } else if (kind === 'focus') {
    element.focus()
  } else if (kind === 'enter') {
    element.focus()
    for (const type of ['keydown', 'keypress', 'keyup']) {
      element.dispatchEvent(
        new KeyboardEvent(type, { ...init, key: 'Enter', code: 'Enter', keyCode: 13, which: 13 }),
      )
    }
  } else {
    element.dispatchEvent(new Event(kind, init))
  }
  return true
}

/**
 * The element like this one that it may be dropped on: its neighbor in a list, or the neighbor of what holds it; null
 * without.
 */
export function dropTargetOf(element: PageElement): PageElement | null {
  let current: PageElement | null = element
  for (let height = 0; current && height < 5; height++, current = current.parentElement) {
    const { parentElement, tagName, classList } = current
    const siblings = Array.from(parentElement?.children ?? [])
    const at = siblings.indexOf(current)
    const isAlike = (other: PageElement | undefined): boolean =>
      other !== undefined &&
      other.tagName === tagName &&
      other.classList[0] === classList[0] &&
      isVisible(other)
    for (const other of [siblings[at + 1], siblings[at - 1]]) if (isAlike(other)) return other!
  }
  return null
}

/**
 * Drags an element onto the one beside it, by script where the document does it with drag events.
 *
 * @returns where to drag it by the mouse; null when that was done, or there is nothing to drop it on
 */
export function dragOn(index: number): { readonly from: ActionPoint; readonly to: ActionPoint } | null {
  const element = known[index]
  const target = element?.isConnected ? dropTargetOf(element) : null
  if (!element || target === null) return null
  // Links and pictures are without the attribute, too.
  if (element.draggable !== true) {
    const from = point(index)
    const { left, top, width, height } = target.getBoundingClientRect()
    // A little beyond its middle, where it makes room.
    return { from, to: { ...from, x: left + width * 0.6, y: top + height * 0.6 } }
  }
  const dataTransfer = new DataTransfer()
  const { left, top, width, height } = target.getBoundingClientRect()
  const place = { clientX: left + width * 0.6, clientY: top + height * 0.6 }
  const init = { bubbles: true, cancelable: true, composed: true, dataTransfer, ...place }
  element.dispatchEvent(new DragEvent('dragstart', init))
  for (const kind of ['dragenter', 'dragover', 'drop']) target.dispatchEvent(new DragEvent(kind, init))
  element.dispatchEvent(new DragEvent('dragend', init))
  return null
}

/** Gives the focus to an element, for keys that follow. */
export function focusOn(index: number): boolean {
  const element = known[index]
  if (!element?.isConnected) return false
  element.focus()
  return true
}

/** Sends a form that has no button. */
export function submitForm(xpathOfForm: string): boolean {
  xpathSteps.clear()
  for (const form of Array.from(document.querySelectorAll('form'))) {
    if (xpathOf(form) !== xpathOfForm) continue
    form.requestSubmit?.()
    return true
  }
  return false
}
declare function xpathOf(element: PageElement): string
declare const xpathSteps: Map<PageElement, string>

/** Scrolls the page and what scrolls in it down by most of a screen. @returns whether anything moved */
export function scrollOn(): boolean {
  let moved = false
  const scrollers: PageElement[] = document.scrollingElement ? [document.scrollingElement] : []
  const inner = document.querySelectorAll('main,section,div,ul,mat-sidenav-content')
  for (let i = 0; i < inner.length && i < 400 && scrollers.length < 6; i++) {
    const element = inner[i]!
    if (element.scrollHeight > element.clientHeight + 200 && element.clientHeight > 150)
      scrollers.push(element)
  }
  for (const scroller of scrollers) {
    const before = scroller.scrollTop
    scroller.scrollTop = before + Math.max(200, scroller.clientHeight * 0.9)
    if (scroller.scrollTop > before) moved = true
  }
  return moved
}

/** Lets the survey see into a closed shadow root that the debugger found. */
export function adopt(root: PageElement): void {
  if (!closedRoots.includes(root)) closedRoots.push(root)
}
