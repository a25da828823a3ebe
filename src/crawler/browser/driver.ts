import type { CaptureSink } from './capture.ts'
import type { RequestGuard } from './request-guard.ts'
import type { BrowserSession } from './session.ts'

/**
 * What the crawler needs of a browser, independent of the library that drives it. Every call has its own deadline and
 * fails with BROWSER_TIMED_OUT when it is over, BROWSER_GONE when the browser or the page is no longer there: a page in
 * an endless loop never answers on its own.
 */
export interface BrowserDriver {
  /** Which browser runs, for people: its path. */
  readonly path: string
  /** Process id of the browser; null once it is gone. */
  readonly processId: number | null
  /** Settles once, when the browser is no longer there; never rejects. */
  readonly gone: Promise<'closed' | 'crashed'>
  /** A fresh identity: own cookies, storage and cache. */
  newContext(options: ContextOptions): Promise<DriverContext>
  /** Proportional memory of the browser and all its processes, in bytes; 0 where it cannot be read. */
  memoryBytes(): Promise<number>
  /** Ends the browser, by force after two seconds, and removes its profile. Never rejects; may be called twice. */
  close(): Promise<void>
}

/** Where requests of a context go, and who hears of them. */
export interface ContextOptions {
  /** Decides on every request of every page, frame and worker of the context before it leaves. */
  readonly guard: RequestGuard
  /** Hears every exchange; null captures nothing. */
  readonly sink: CaptureSink | null
  /** Cookies and storage to begin with. */
  readonly session?: BrowserSession
  /** What happens with windows that pages open: told to {@link PageEvents.popup} and closed (default), or left to live. */
  readonly popups?: 'report' | 'allow'
  /**
   * Answers dialogs of a page, whose {@link DriverPage.cause} is given: true accepts. Unless given, alerts are accepted,
   * questions refused.
   */
  readonly answerDialog?: (dialog: PageDialog, cause: string | null) => boolean
  /** Viewport in CSS pixels; 1280 × 900 unless given. */
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** A dialog that a page opened. */
export interface PageDialog {
  readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload'
  readonly message: string
}

/** One identity in the browser: pages that share cookies and storage. */
export interface DriverContext {
  newPage(): Promise<DriverPage>
  /**
   * Cookies of the context, and local and session storage of every origin that is open in a page of it (with what an
   * earlier session brought for origins that are not), and the last credentials in headers of requests.
   */
  session(): Promise<BrowserSession>
  /** Puts cookies and storage in; storage of an origin arrives with its first document, before any script of it. */
  restore(session: BrowserSession): Promise<void>
  /** Forgets cookies, storage and cache. */
  clear(): Promise<void>
  /** Closes all pages, and tells the sink what was still open. Never rejects; may be called twice. */
  close(): Promise<void>
}

/** How a navigation ended. */
export interface Visit {
  /** Where the page is now, redirects followed. */
  readonly url: string
  /** Status of the last answer; null when there was none (failed, or a change of the fragment). */
  readonly status: number | null
  /** Why no document was loaded, as the browser names it (`net::ERR_CONNECTION_REFUSED`, `blocked`, `deadline`); null when one was. */
  readonly problem: string | null
}

/** Options of {@link DriverPage.goto}. */
export interface VisitOptions {
  /** Milliseconds; 20,000 unless given. When it is over loading is stopped, and the visit ends with `problem: 'deadline'`. */
  readonly deadlineMs?: number
  /** What counts as there: `load` unless given. */
  readonly until?: 'domcontentloaded' | 'load'
}

/** A click, a key or a text as a person makes them (trusted input events). */
export interface DriverInput {
  click(x: number, y: number, options?: ClickOptions): Promise<void>
  move(x: number, y: number): Promise<void>
  /** Presses the left button at one point, moves to another one and releases it there. */
  drag(from: Point, to: Point): Promise<void>
  wheel(x: number, y: number, deltaY: number): Promise<void>
  /** Presses and releases one key by its name (`Enter`, `Escape`, `Tab`, `a`). */
  press(key: string): Promise<void>
  /** Types text into whatever has the focus. */
  type(text: string): Promise<void>
}

/** A place in the window of a tab. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** How to click. */
export interface ClickOptions {
  readonly button?: 'left' | 'right'
  readonly count?: 1 | 2
  /** Milliseconds between press and release, for long presses. */
  readonly holdMs?: number
}

/** A session of the Chrome DevTools Protocol with one target. */
export interface CdpSession {
  readonly id: string
  /** @throws Failure BROWSER_TIMED_OUT, BROWSER_GONE, BROWSER_REFUSED (what the browser said) */
  send<T = Record<string, unknown>>(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    deadlineMs?: number,
  ): Promise<T>
  /** @returns what ends the listening */
  on(event: string, listener: (params: Record<string, unknown>) => void): () => void
}

/** A frame of another process, or a worker, of a page. */
export interface ChildTarget {
  readonly cdp: CdpSession
  /** `iframe`, `worker`, `shared_worker`, `service_worker`. */
  readonly type: string
  readonly url: string
}

/** What a page tells. */
export interface PageEvents {
  /** The renderer died, or the page was closed from outside; the page is of no further use. */
  readonly crash: (reason: string) => void
  /** A window was opened for this URL. */
  readonly popup: (url: string) => void
  /** The main frame is at another URL: a document, a fragment or a state of the history. */
  readonly navigated: (url: string, isSameDocument: boolean) => void
}

/** How long to wait for the network. */
export interface QuietOptions {
  /** Quiet for so long, in milliseconds; 300 unless given. */
  readonly quietMs?: number
  /** At most so long; 5,000 unless given. */
  readonly capMs?: number
  /** Only requests begun from here (milliseconds of `performance.now()`) count; all in flight unless given. */
  readonly sinceMs?: number
}

/** One tab. */
export interface DriverPage {
  readonly id: string
  readonly cdp: CdpSession
  /** Frames in other processes and workers, as they are now. */
  readonly children: readonly ChildTarget[]
  readonly input: DriverInput
  /** URL of the main frame as last heard. */
  readonly url: string
  readonly isClosed: boolean
  /** Goes along with every exchange that begins while it is set: what the crawler was doing. */
  cause: string | null
  /** Navigations so far, for recycling; a change of the fragment is a quarter of one. */
  readonly visits: number
  /** Opens an http or https URL. @throws Failure BROWSER_URL_REFUSED for any other scheme */
  goto(url: string, options?: VisitOptions): Promise<Visit>
  /**
   * Value of an expression in the main frame, promises awaited, as JSON carries it.
   * @param expression data goes into it only through `JSON.stringify`
   * @throws Failure BROWSER_SCRIPT_FAILED with the message of what was thrown
   */
  evaluate<T = unknown>(expression: string, options?: EvaluateOptions): Promise<T>
  /**
   * Resolves when no request is in flight and the page computes nothing, or the cap is over: true when it is quiet. Web
   * sockets, event streams, and requests that stay open as long polls do (more than three seconds, again and again) do not
   * count.
   */
  quiet(options?: QuietOptions): Promise<boolean>
  /** Resolves when every exchange of the page that has ended is reported to the sink. */
  told(): Promise<void>
  /** A picture of the viewport; boxes with passwords and one-time codes are covered in it. */
  screenshot(options?: ScreenshotOptions): Promise<Uint8Array>
  on<E extends keyof PageEvents>(event: E, listener: PageEvents[E]): () => void
  /** Closes the page although its scripts never end. Never rejects; may be called twice. */
  close(): Promise<void>
}

/** Options of {@link DriverPage.evaluate}. */
export interface EvaluateOptions {
  /** Milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number
  /** In its own world, which scripts of the page cannot see; false unless given. */
  readonly isolated?: boolean
  /** Counts as an act of a person (opens windows, plays media); false unless given. */
  readonly userGesture?: boolean
}

/** Options of {@link DriverPage.screenshot}. */
export interface ScreenshotOptions {
  /** PNG unless given. */
  readonly format?: 'png' | 'jpeg'
  /** Of JPEG, 0 to 100. */
  readonly quality?: number
  /** Width of the picture in pixels, when it is to be smaller than the viewport. */
  readonly width?: number
  /** Values that boxes in the picture must not show, beside passwords and codes. */
  readonly secrets?: readonly string[]
}
