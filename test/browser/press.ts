import type { Page } from 'puppeteer-core'

/** How often something else may be hit: pages move while they load, but not for ever. */
const MOST_MISSES = 20

/** What of a page the guard of a click uses; these tests are checked without the types of a browser. */
interface GuardedPage {
  press: { isHit: boolean } | undefined
  endOfPress: (() => void) | undefined
  addEventListener(kind: string, listener: (event: PointerEvent) => void, isCapture: boolean): void
  removeEventListener(kind: string, listener: (event: PointerEvent) => void, isCapture: boolean): void
}

interface PointerEvent {
  readonly type: string
  readonly isTrusted: boolean
  composedPath(): unknown[]
  preventDefault(): void
  stopImmediatePropagation(): void
}

/**
 * Clicks what a selector finds. A page that moves or renders anew between the look and the click makes a mouse hit
 * something else: such a click reaches nothing, and is tried again.
 *
 * @param offset from the upper left corner; the middle unless given
 */
export async function press(
  page: Page,
  selector: string,
  offset?: { readonly x: number; readonly y: number },
): Promise<void> {
  const click = () => page.locator(selector).click(offset === undefined ? {} : { offset })
  for (let misses = 0; misses < MOST_MISSES; misses++) {
    const element = await page.waitForSelector(selector)
    const isGuarded = await element!.evaluate(guard).then(
      () => true,
      () => false,
    )
    await element!.dispose().catch(() => {})
    if (!isGuarded) continue
    await click()
    // A click may lead to another document, which has no guard.
    if (await page.evaluate(wasHit).catch(() => true)) return
  }
  // What always lies over it may pass the click on.
  await click()
}

/** Runs in the page: until the element was clicked, the mouse reaches nothing else. */
function guard(element: unknown): void {
  const page = globalThis as unknown as GuardedPage
  page.endOfPress?.()
  const state = { isHit: false }
  const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']
  const listen = (event: PointerEvent): void => {
    // What is clicked passes its click on, like a label to its box.
    if (!event.isTrusted || state.isHit) return
    if (event.composedPath().includes(element)) state.isHit = event.type === 'click'
    else {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }
  for (const kind of kinds) page.addEventListener(kind, listen, true)
  page.press = state
  page.endOfPress = () => {
    for (const kind of kinds) page.removeEventListener(kind, listen, true)
  }
}

/** Runs in the page. */
function wasHit(): boolean {
  const page = globalThis as unknown as GuardedPage
  page.endOfPress?.()
  return page.press?.isHit ?? true
}
