import { press } from './press.ts'
import type { Visitor } from './visitor.ts'

/** How a person works: with a mouse, or only with the keyboard. */
export type Hand = 'mouse' | 'keyboard'

/** Presses of Tab after which a control counts as out of reach. */
const MOST_TABS = 250

/**
 * A person who does one thing after the other, and counts: a press of a control, a text that is typed, and a choice are
 * one action each. Tab and the arrow keys only lead to a control.
 */
export class Steps {
  count = 0
  readonly #visitor: Visitor
  readonly #hand: Hand

  constructor(visitor: Visitor, hand: Hand) {
    this.#visitor = visitor
    this.#hand = hand
  }

  /** Presses a control. */
  async press(role: string, name: string): Promise<void> {
    this.count++
    if (this.#hand === 'mouse') return this.#visitor.click(role, name)
    await this.#reach(name)
    await this.#visitor.page.keyboard.press('Enter')
  }

  /** Ticks a box or chooses a radio button. */
  async tick(name: string): Promise<void> {
    this.count++
    if (this.#hand === 'mouse') return this.#visitor.tick(name)
    await this.#reach(name)
    await this.#visitor.page.keyboard.press('Space')
  }

  /** Types a text into a field. */
  async type(name: string, text: string): Promise<void> {
    this.count++
    if (this.#hand === 'mouse')
      // At the left: fields of dates have their first part there.
      await press(this.#visitor.page, `::-p-aria([name="${name}"])`, { x: 20, y: 12 })
    else await this.#reach(name)
    await this.#visitor.page.keyboard.type(text)
  }

  /** Moves the focus forwards until a control of this name, or whose name begins with it, has it. */
  async #reach(name: string): Promise<void> {
    const { page } = this.#visitor
    await page.waitForFunction(`(${NAMED})(${JSON.stringify(name)}).length > 0`)
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      if (await page.evaluate(`(${NAMED})(${JSON.stringify(name)}).includes(document.activeElement)`)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`"${name}" is not reached with the Tab key`)
  }
}

/** Controls of a name, in the page: by aria-label, label, or text. */
const NAMED = `(name) => [...document.querySelectorAll('a[href], button, input, textarea, select, [tabindex], [role]')]
  .filter((element) => {
    const label = element.getAttribute('aria-label') ?? [...(element.labels ?? [])].map((one) => one.textContent).join(' ')
    const own = (label.trim() || element.textContent || '').replace(/\\s+/g, ' ').replace(/ ?\\*$/, '').trim()
    return own === name || own.startsWith(name + ' ') || own.startsWith(name + '(')
  })`
