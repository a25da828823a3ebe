import type { PageDocument, PageElement, PageWindow } from './dom.ts'

/*
 * Runs in the browser, as text. What other files of the page script define is declared here.
 */
/** What covers the page now, and tabs that are chosen. */
declare const covers: PageElement[]
declare const tabs: PageElement[]
declare function tidy(text: string | null | undefined, length: number): string
declare const document: PageDocument
declare const window: PageWindow

/** What covers the page behind a dialog: large, and with nothing in it. */
export function isBackdrop(element: PageElement): boolean {
  if (element.children.length > 0 || tidy(element.textContent, 5) !== '') return false
  const { width, height } = element.getBoundingClientRect()
  return width >= window.innerWidth * 0.8 && height >= window.innerHeight * 0.8
}

/**
 * What lies over the page and keeps people from using it, whatever role it has: what is fixed on top at five points of
 * the window, when one of these covers the window and most of the page is not in it.
 */
export function findCovers(count: number): PageElement[] {
  const [right, bottom] = [window.innerWidth, window.innerHeight]
  const points = [
    [right / 2, bottom / 2],
    [right - 20, bottom / 2],
    [20, bottom / 2],
    [right / 2, 20],
    [right / 2, bottom - 20],
  ]
  const found = new Set<PageElement>()
  let isCovered = false
  for (const [x, y] of points) {
    let fixed: PageElement | null = null
    let at = document.elementFromPoint(x!, y!)
    for (; at; at = at.parentElement ?? at.getRootNode().host ?? null) {
      if (at.ownerDocument.defaultView?.getComputedStyle(at).position === 'fixed') fixed = at
    }
    if (fixed === null || fixed.querySelectorAll('*').length > count * 0.6) continue
    const box = fixed.getBoundingClientRect()
    if (box.width >= right * 0.9 && box.height >= bottom * 0.9) isCovered = true
    found.add(fixed)
  }
  return isCovered ? [...found] : []
}

/** Whether an element is a dialog, or what holds one: it listens for clicks beside the dialog, which close it. */
export function isDialogFrame(element: PageElement): boolean {
  const dialogs = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]'
  return element.matches(dialogs) || element.querySelector(dialogs) !== null
}

/** The dialog that an element is in, or what covers the page like one; null without. */
export function dialogOf(element: PageElement): PageElement | null {
  return (
    element.closest('dialog,[role=dialog],[role=alertdialog],[aria-modal=true]') ??
    covers.find((cover) => cover.contains(element)) ??
    null
  )
}

/** Whether an element is in a dialog, or in what covers the page like one. */
export function isOnTop(element: PageElement): boolean {
  return dialogOf(element) !== null
}

/** What tells a dialog, and the tabs beside which an element stands, from others; digits aside. */
export function withinOf(element: PageElement): string {
  const dialog = dialogOf(element)
  const titled = dialog?.querySelector('h1,h2,h3,h4,[class*=title],[role=heading]')
  const parts = [dialog ? tidy(dialog.getAttribute('aria-label') || titled?.textContent, 60) : '']
  for (const tab of tabs) {
    const list = tab.closest('[role=tablist]')
    const panel = element.closest('[role=tabpanel]')
    const isBeside = panel !== null || list?.parentElement?.contains(element) === true
    if (isBeside && list?.contains(element) !== true) parts.push(tidy(tab.textContent, 40))
  }
  return parts.join('/').replace(/\d+/g, '#')
}

/** What the row of a table or the entry of a list says that an element is in; '' without, as in a menu. */
export function rowOf(element: PageElement): string {
  if (element.closest('[role=menu],[role=listbox],nav') !== null) return ''
  return tidy(element.closest('tr,[role=row],li')?.textContent, 80)
}

/** Whether an element belongs to the frame that all pages have, as far as tags and roles tell. */
export function isNavigation(element: PageElement): boolean {
  const frame = element.closest('nav,header,footer,aside,[role=navigation],[role=menubar],mat-sidenav')
  if (frame === null || isOnTop(element)) return false
  // Tabs and the buttons of a list's pages are often in a `nav` within the page they belong to.
  if (/^(?:BUTTON|INPUT)$/.test(element.tagName) || element.getAttribute('role') === 'tab')
    if (frame.parentElement?.closest('main,[role=main]')) return false
  if (!/^(?:HEADER|FOOTER|ASIDE)$/.test(frame.tagName)) return true
  // A part of a page has its own header, and so has a page: with its heading and what can be done to it.
  if (frame.closest('main,article,section,form,[role=main],[role=tabpanel]') !== null) return false
  const leadsAway = frame.querySelectorAll('a[href],[role=menuitem]').length >= 4
  return leadsAway || frame.tagName === 'FOOTER' || (frame.tagName === 'HEADER' && !frame.querySelector('h1'))
}
