import type { DriverPage } from '../browser/driver.ts'
import { pageScript } from './page/page-script.ts'
import type { ActionPoint, FieldValue, PageAction, PageSurvey } from './page/survey-types.ts'

/** Ways to act on an element. */
export type Gesture =
  | 'click'
  | 'dblclick'
  | 'contextmenu'
  | 'hover'
  | 'focus'
  | 'enter'
  | 'longpress'
  | 'drag'

interface RemoteObject {
  readonly objectId?: string
  readonly value?: unknown
}

interface Evaluated {
  readonly result: RemoteObject
  readonly exceptionDetails?: { readonly text?: string }
}

interface TreeNode {
  readonly backendNodeId: number
  readonly shadowRootType?: string
  readonly children?: readonly TreeNode[]
  readonly shadowRoots?: readonly TreeNode[]
}

/**
 * What the engine does with the document of a tab: survey, fill, act. The page script is installed in every new document
 * on first use, and only the debugger holds it.
 */
export class PageView {
  readonly page: DriverPage
  #script: string | null = null
  #sawClosedRoots = false
  #steps = 0
  #documentUrl = ''

  constructor(page: DriverPage) {
    this.page = page
    page.on('navigated', (url, isSameDocument) => {
      if (isSameDocument) this.#steps++
      else {
        this.#documentUrl = url
        this.#script = null
        this.#sawClosedRoots = false
        this.#steps = Number.NaN
      }
    })
  }

  /** Changes of the URL within the document since {@link restartSteps}; not a number when another document came. */
  get stepsInDocument(): number {
    return this.#steps
  }

  /** Address that the document was loaded from, wherever its router went since; '' before the first one. */
  get documentUrl(): string {
    return this.#documentUrl
  }

  restartSteps(): void {
    this.#steps = 0
  }

  /** Everything the page offers now. */
  survey(): Promise<PageSurvey> {
    return this.#call<PageSurvey>('survey')
  }

  /** Writes values. @returns how many arrived */
  fill(values: readonly FieldValue[]): Promise<number> {
    return this.#call<number>('fill', values)
  }

  /** Scrolls down by most of a screen. @returns whether anything moved */
  scrollOn(): Promise<boolean> {
    return this.#call<boolean>('scrollOn')
  }

  /** Sends a form that has no button. */
  submitForm(xpath: string): Promise<boolean> {
    return this.#call<boolean>('submitForm', xpath)
  }

  /** Acts on an element as a person would where it can be hit, by script where something covers it. */
  async act(action: Pick<PageAction, 'index' | 'needsHover'>, gesture: Gesture): Promise<boolean> {
    let point = await this.#call<ActionPoint>('point', action.index)
    if (!point.isThere) return false
    if (action.needsHover) {
      await this.page.input.move(point.x, point.y)
      point = await this.#call<ActionPoint>('point', action.index)
      if (!point.isHit) return false
    }
    if (gesture === 'focus') return this.#call<boolean>('focusOn', action.index)
    if (gesture === 'enter') {
      await this.#call<boolean>('focusOn', action.index)
      await this.page.input.press('Enter')
      return true
    }
    if (gesture === 'drag') {
      const way = await this.#call<{ from: ActionPoint; to: ActionPoint } | null>('dragOn', action.index)
      if (way !== null) await this.page.input.drag(way.from, way.to)
      return true
    }
    const { x, y, isHit } = point
    if (!isHit) return this.#call<boolean>('fire', action.index, gesture === 'longpress' ? 'click' : gesture)
    if (gesture === 'hover') await this.page.input.move(x, y)
    else if (gesture === 'dblclick') await this.page.input.click(x, y, { count: 2 })
    else if (gesture === 'contextmenu') await this.page.input.click(x, y, { button: 'right' })
    else if (gesture === 'longpress') await this.page.input.click(x, y, { holdMs: 800 })
    else await this.page.input.click(x, y)
    return true
  }

  /**
   * Lets surveys see into closed shadow roots, once for each document: the debugger shows them, scripts do not.
   *
   * @returns whether there are any
   */
  async openClosedRoots(): Promise<boolean> {
    if (this.#sawClosedRoots) return false
    await this.#install()
    this.#sawClosedRoots = true
    const { root } = await this.page.cdp.send<{ root: TreeNode }>('DOM.getDocument', {
      depth: -1,
      pierce: true,
    })
    const closed: number[] = []
    const stack: TreeNode[] = [root]
    while (stack.length > 0 && closed.length < 50) {
      const node = stack.pop()!
      if (node.shadowRootType === 'closed') closed.push(node.backendNodeId)
      stack.push(...(node.children ?? []), ...(node.shadowRoots ?? []))
    }
    for (const backendNodeId of closed) {
      const { object } = await this.page.cdp.send<{ object: RemoteObject }>('DOM.resolveNode', {
        backendNodeId,
      })
      await this.#callWith('adopt', [{ objectId: object.objectId }])
    }
    return closed.length > 0
  }

  async #call<T>(name: string, ...values: readonly unknown[]): Promise<T> {
    return this.#callWith<T>(
      name,
      values.map((value) => ({ value })),
    )
  }

  async #callWith<T>(name: string, parameters: readonly Readonly<Record<string, unknown>>[]): Promise<T> {
    try {
      return await this.#callOnce<T>(name, parameters)
    } catch {
      // The document changed under the call: once more in the new one.
      this.#script = null
      return this.#callOnce<T>(name, parameters)
    }
  }

  async #callOnce<T>(name: string, parameters: readonly Readonly<Record<string, unknown>>[]): Promise<T> {
    const objectId = await this.#install()
    const answer = await this.page.cdp.send<Evaluated>(
      'Runtime.callFunctionOn',
      {
        objectId,
        functionDeclaration: `function (...values) { return this.${name}(...values) }`,
        arguments: parameters,
        returnByValue: true,
      },
      10_000,
    )
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text ?? 'the page script failed')
    return answer.result.value as T
  }

  async #install(): Promise<string> {
    if (this.#script !== null) return this.#script
    const answer = await this.page.cdp.send<Evaluated>(
      'Runtime.evaluate',
      { expression: pageScript, includeCommandLineAPI: true },
      10_000,
    )
    const id = answer.result.objectId
    if (answer.exceptionDetails || id === undefined) throw new Error('the page script could not be installed')
    this.#script = id
    return id
  }
}
