import type { PageElement } from './dom.ts'

/*
 * Runs in the browser, as text. What other files of the page script define is declared here.
 */
declare function isVisible(element: PageElement): boolean
declare function formIndex(element: PageElement, forms: PageElement[]): number

/** A check or radio box that belongs to no form acts at once, as a switch does; so does the label of one that is not seen. */
export function isSwitch(element: PageElement, forms: PageElement[]): boolean {
  const box = element.tagName === 'LABEL' ? element.control : element
  if (box?.tagName !== 'INPUT' || !/^(?:checkbox|radio)$/.test(box.type ?? '')) return false
  if (box !== element && isVisible(box)) return false
  return actsAtOnce(box) || formIndex(box, forms) < 0
}

/** Whether a box says that it is a switch, or is in a row, and no form will send it. */
export function actsAtOnce(box: PageElement): boolean {
  if (box.form ?? box.closest('form')) return false
  return box.getAttribute('role') === 'switch' || box.closest('tr,[role=row],[role=option]') !== null
}
