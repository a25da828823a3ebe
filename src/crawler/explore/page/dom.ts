/**
 * The few parts of the document object model that the page script uses. The script runs in the browser; the rest of the
 * program has no such types.
 */
export interface PageElement {
  readonly nodeType: number
  readonly tagName: string
  readonly id: string
  readonly isConnected: boolean
  readonly parentElement: PageElement | null
  readonly parentNode: PageElement | null
  readonly children: ArrayLike<PageElement>
  readonly classList: ArrayLike<string>
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>
  readonly ownerDocument: PageDocument
  readonly shadowRoot: PageElement | null
  readonly host?: PageElement
  readonly contentDocument?: PageDocument | null
  readonly content?: PageElement
  readonly form?: PageElement | null
  readonly labels?: ArrayLike<PageElement> | null
  /** The field of a label. */
  readonly control?: PageElement | null
  readonly options?: ArrayLike<PageOption>
  readonly textContent: string | null
  readonly innerText?: string
  readonly type?: string
  readonly disabled?: boolean
  readonly draggable?: boolean
  readonly readOnly?: boolean
  readonly required?: boolean
  readonly isContentEditable?: boolean
  readonly elements?: ArrayLike<PageElement>
  readonly scrollHeight: number
  readonly clientHeight: number
  scrollTop: number
  checked?: boolean
  selectedIndex?: number
  value?: string
  files?: unknown
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  matches(selector: string): boolean
  closest(selector: string): PageElement | null
  contains(other: PageElement | null): boolean
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement>
  getRootNode(): PageElement
  getBoundingClientRect(): {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
  checkVisibility(options?: Readonly<Record<string, boolean>>): boolean
  scrollIntoView(options?: Readonly<Record<string, string>>): void
  dispatchEvent(event: unknown): boolean
  click(): void
  focus(): void
  blur(): void
  requestSubmit?(): void
}

/** An entry of a select box. */
interface PageOption {
  readonly value: string
  readonly text: string
  readonly disabled: boolean
}

/** A document of a frame. */
export interface PageDocument extends PageElement {
  readonly documentElement: PageElement | null
  readonly body: PageElement | null
  readonly baseURI: string
  readonly title: string
  readonly activeElement: PageElement | null
  readonly scrollingElement: PageElement | null
  readonly defaultView: PageWindow | null
  elementFromPoint(x: number, y: number): PageElement | null
  execCommand(name: string, showsDialog?: boolean, value?: string): boolean
}

/** A window of a frame. */
export interface PageWindow {
  readonly frameElement: PageElement | null
  readonly innerWidth: number
  readonly innerHeight: number
  getComputedStyle(element: PageElement): { readonly cursor: string; readonly position: string }
  scrollTo(x: number, y: number): void
}
