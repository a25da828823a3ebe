import type { Visitor } from './visitor.ts'

/** How a person works: every click, every text and every chord is one action. Moving the focus is none. */
export abstract class Actions {
  readonly visitor: Visitor
  count = 0

  constructor(visitor: Visitor) {
    this.visitor = visitor
  }

  /** Uses what a CSS selector finds first. */
  abstract use(selector: string): Promise<void>

  /** Uses a button, link or tab by its name. */
  abstract named(role: string, name: string): Promise<void>

  /** Replaces the text of a field. */
  async write(selector: string, text: string): Promise<void> {
    await this.visitor.page.waitForSelector(selector)
    await this.reach(selector)
    await this.visitor.page.keyboard.down('Control')
    await this.visitor.page.keyboard.press('a')
    await this.visitor.page.keyboard.up('Control')
    await this.visitor.page.keyboard.sendCharacter(text)
    this.count++
  }

  abstract reach(selector: string): Promise<void>
}

/** With a mouse. */
export class MouseActions extends Actions {
  override async use(selector: string): Promise<void> {
    await this.visitor.press(selector)
    this.count++
  }

  override async named(role: string, name: string): Promise<void> {
    await this.visitor.click(role, name)
    this.count++
  }

  override async reach(selector: string): Promise<void> {
    await this.visitor.press(selector)
  }
}

/** More steps than any page has controls. */
const MOST_TABS = 400

/** With the keyboard alone: the focus moves by Tab, and Enter or Space uses what has it. */
export class KeyboardActions extends Actions {
  override async use(selector: string): Promise<void> {
    await this.reach(selector)
    await this.#press()
  }

  override async named(role: string, name: string): Promise<void> {
    const handle = await this.visitor.page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`)
    await handle?.evaluate((element) =>
      (element as unknown as { setAttribute(a: string, b: string): void }).setAttribute('data-wanted', ''),
    )
    await this.reach('[data-wanted]')
    await handle?.evaluate((element) =>
      (element as unknown as { removeAttribute(a: string): void }).removeAttribute('data-wanted'),
    )
    await this.#press()
  }

  /** Moves the focus by Tab, as a person does, until it is on what a selector finds. */
  override async reach(selector: string): Promise<void> {
    const { page } = this.visitor
    await page.waitForSelector(selector)
    for (let step = 0; step < MOST_TABS; step++) {
      const isThere = await page.evaluate(
        `document.activeElement?.matches(${JSON.stringify(selector)}) === true &&
         document.activeElement === document.querySelector(${JSON.stringify(selector)})`,
      )
      if (isThere === true) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`The keyboard does not reach ${selector}`)
  }

  async #press(): Promise<void> {
    // A box is ticked with the space bar; everything else takes Enter.
    const isBox = await this.visitor.page.evaluate(`document.activeElement?.type === 'checkbox'`)
    await this.visitor.page.keyboard.press(isBox === true ? 'Space' : 'Enter')
    this.count++
  }
}
