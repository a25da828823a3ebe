import type { KeyboardEvent } from 'react'

/** Marks the link of a row that the keys j, k and the arrows move between, which it tells screen readers. */
export const rowLinkProps = { 'data-row-link': true, 'aria-keyshortcuts': 'ArrowDown ArrowUp j k' } as const

const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

function isBelowTop(element: HTMLElement): boolean {
  return element.getBoundingClientRect().top >= 0
}

/** Moves the focus between the links of rows; x chooses the row, or no longer. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const key = event.ctrlKey || event.metaKey || event.altKey ? '' : event.key
  if (key === 'x') {
    chooseRow(event)
    return
  }
  const step = steps[key]
  // Events of menus and dialogs opened from a row bubble here too, though they stand elsewhere in the document.
  const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
  if (step === undefined || !isInside || event.target instanceof HTMLInputElement) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  // The first row on the screen: of a long table, rows above it are in the document too.
  const next = at === -1 ? (links.find(isBelowTop) ?? links[0]) : links[at + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function chooseRow({ target }: KeyboardEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.matches('input, textarea')) return
  target
    .closest('tr')
    ?.querySelector<HTMLInputElement>('input[type="checkbox"]:not([role="switch"])')
    ?.click()
}
