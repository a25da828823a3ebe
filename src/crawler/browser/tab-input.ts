import type { TimedSession } from './cdp.ts'
import type { ClickOptions, DriverInput, Point } from './driver.ts'

/** Keys that have a name: code, number and what they type. */
const NAMED_KEYS: ReadonlyMap<string, { code: string; number: number; text?: string }> = new Map([
  ['Enter', { code: 'Enter', number: 13, text: '\r' }],
  ['Tab', { code: 'Tab', number: 9 }],
  ['Escape', { code: 'Escape', number: 27 }],
  ['Backspace', { code: 'Backspace', number: 8 }],
  ['Delete', { code: 'Delete', number: 46 }],
  ['ArrowLeft', { code: 'ArrowLeft', number: 37 }],
  ['ArrowUp', { code: 'ArrowUp', number: 38 }],
  ['ArrowRight', { code: 'ArrowRight', number: 39 }],
  ['ArrowDown', { code: 'ArrowDown', number: 40 }],
  ['Home', { code: 'Home', number: 36 }],
  ['End', { code: 'End', number: 35 }],
  ['PageUp', { code: 'PageUp', number: 33 }],
  ['PageDown', { code: 'PageDown', number: 34 }],
  [' ', { code: 'Space', number: 32, text: ' ' }],
])
const INPUT_MS = 5000
const MAX_HOLD_MS = 3000
const DRAG_STEPS = 8

/** Trusted input events of one tab. */
export class TabInput implements DriverInput {
  readonly #session: TimedSession

  constructor(session: TimedSession) {
    this.#session = session
  }

  async click(
    x: number,
    y: number,
    { button = 'left', count = 1, holdMs = 0 }: ClickOptions = {},
  ): Promise<void> {
    await this.move(x, y)
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      const facts = { x, y, button, clickCount, buttons: button === 'left' ? 1 : 2 }
      await this.#mouse({ ...facts, type: 'mousePressed' })
      if (holdMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(holdMs, MAX_HOLD_MS)))
      await this.#mouse({ ...facts, type: 'mouseReleased', buttons: 0 })
    }
  }

  move(x: number, y: number): Promise<void> {
    return this.#mouse({ type: 'mouseMoved', x, y })
  }

  async drag(from: Point, to: Point): Promise<void> {
    await this.move(from.x, from.y)
    try {
      await this.#mouse({ ...from, type: 'mousePressed', button: 'left', buttons: 1, clickCount: 1 })
      // Libraries wait for a few pixels before they take it for dragging.
      for (let step = 1; step <= DRAG_STEPS; step++) {
        const x = from.x + ((to.x - from.x) * step) / DRAG_STEPS
        const y = from.y + ((to.y - from.y) * step) / DRAG_STEPS
        await this.#mouse({ type: 'mouseMoved', x, y, button: 'left', buttons: 1 })
      }
    } finally {
      // A button that stays down would make every later move a drag.
      await this.#mouse({ ...to, type: 'mouseReleased', button: 'left', buttons: 0, clickCount: 1 })
    }
  }

  wheel(x: number, y: number, deltaY: number): Promise<void> {
    return this.#mouse({ type: 'mouseWheel', x, y, deltaX: 0, deltaY })
  }

  async press(key: string): Promise<void> {
    const named = NAMED_KEYS.get(key)
    const text = named === undefined ? [...key][0] : named.text
    const facts = {
      key: named === undefined ? (text ?? key) : key,
      code: named?.code ?? '',
      windowsVirtualKeyCode: named?.number ?? characterCode(key),
    }
    await this.#key({ ...facts, type: text === undefined ? 'rawKeyDown' : 'keyDown', text })
    await this.#key({ ...facts, type: 'keyUp' })
  }

  async type(text: string): Promise<void> {
    for (const character of text) await this.press(character === '\n' ? 'Enter' : character)
  }

  async #mouse(facts: Record<string, unknown>): Promise<void> {
    await this.#session.send('Input.dispatchMouseEvent', facts, INPUT_MS)
  }

  async #key(facts: Record<string, unknown>): Promise<void> {
    await this.#session.send('Input.dispatchKeyEvent', facts, INPUT_MS)
  }
}

/** Letters and digits have the number of their key; those of other characters are numbers of arrows and the like. */
function characterCode(key: string): number {
  return /^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0
}
