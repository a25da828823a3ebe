import { useEffect } from 'react'

const focusable = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'
/** What takes the focus itself, such as a dialog that closes, has done so by then. */
const patienceMs = 100

function wayUp(element: Element): Element[] {
  const way: Element[] = []
  for (let at: Element | null = element; at !== null; at = at.parentElement) way.push(at)
  return way
}

/**
 * Keeps the focus on the page: when what has it goes away, such as the actions of rows that are no longer chosen, the
 * first control of what was around it gets it; a button that was disabled while it worked gets it back. Otherwise the
 * keyboard starts at the top of the page again.
 */
export function useKeptFocus(contentId: string): void {
  useEffect(() => {
    let way: Element[] = []
    let wasDisabled = false
    let timer = 0
    const isLost = () => document.activeElement === null || document.activeElement === document.body
    const note = ({ target }: FocusEvent) => {
      way = target instanceof Element ? wayUp(target) : []
      wasDisabled = false
    }
    const forget = () => {
      way = []
    }
    const keep = () => {
      const last = way[0]
      if (last === undefined || !isLost()) return
      if (last.isConnected) {
        if (wasDisabled && last instanceof HTMLElement) last.focus({ preventScroll: true })
        return
      }
      const content = document.getElementById(contentId)
      const near = way.find((element) => element.isConnected && content?.contains(element))
      const next = near?.querySelector<HTMLElement>(focusable) ?? content
      next?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver((records) => {
      if (way.length === 0) return
      wasDisabled ||= records.some(({ type, target }) => type === 'attributes' && target === way[0])
      if (!isLost()) return
      window.clearTimeout(timer)
      timer = window.setTimeout(keep, patienceMs)
    })
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', note)
    // A click beside every control means that the focus goes nowhere.
    document.addEventListener('pointerdown', forget)
    return () => {
      observer.disconnect()
      window.clearTimeout(timer)
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', forget)
    }
  }, [contentId])
}
