import { Failure } from '../../kit/index.ts'
import type { CaptureSink } from '../browser/capture.ts'
import type { DriverPage } from '../browser/driver.ts'
import type { CrawlBrowser, OpenContext } from './crawl-ports.ts'
import { PageView } from './page-view.ts'

/** Visits after which a page is replaced, so that what it leaves behind goes with it. */
const VISITS_PER_PAGE = 50
/** Visits after which a page of a browser that is too heavy is. */
const VISITS_WHEN_TOO_HEAVY = 6
/** Visits after which a page of a heavy browser has its garbage collected: most of what pages hold is that. */
const VISITS_WHEN_HEAVY = 3
/** Memory of the browser from which on it is heavy, and too heavy, and how often it is looked at, in milliseconds. */
const HEAVY_BYTES = 800_000_000
const TOO_HEAVY_BYTES = 1_000_000_000
const LOOK_MS = 5_000
const COLLECT_MS = 5_000

/** The browser of a crawl: one context, opened again when it is gone. */
export class CrawlWindow {
  readonly #browser: CrawlBrowser
  readonly #capture: CaptureSink
  #open: Promise<OpenContext> | null = null
  #bytes = 0
  #lookedMs = 0
  /** Grows when every page is to be replaced. */
  generation = 0

  constructor(browser: CrawlBrowser, capture: CaptureSink) {
    this.#browser = browser
    this.#capture = capture
  }

  /** A new page in the context of the crawl. */
  async newPage(): Promise<DriverPage> {
    const { context } = await this.current()
    return context.newPage()
  }

  /** The context as it is; opened when there is none. */
  current(): Promise<OpenContext> {
    if (this.#open) return this.#open
    const open = this.#browser.openContext(this.#capture)
    this.#open = open
    open.then(
      ({ driver }) => {
        void driver.gone.then(() => {
          if (this.#open === open) this.#open = null
        })
      },
      () => {
        if (this.#open === open) this.#open = null
      },
    )
    return open
  }

  /** Lets pages begin anew with what the storage of any of them holds now: storage of a session belongs to one page. */
  async shareStorage(): Promise<void> {
    await (await this.current()).context.session()
    this.generation++
  }

  /** Memory of the browser as it was lately. */
  async memoryBytes(): Promise<number> {
    const now = performance.now()
    if (now - this.#lookedMs > LOOK_MS) {
      this.#lookedMs = now
      this.#bytes = await (await this.current()).driver.memoryBytes()
    }
    return this.#bytes
  }

  /** Ends the browser, however it hangs; the next page opens another. */
  restart(): void {
    const open = this.#open
    this.#open = null
    open?.then(({ driver }) => driver.close()).catch(() => {}) // it never opened, or is gone already
  }

  /** Closes the context; the next page opens another. */
  async close(): Promise<void> {
    const open = this.#open
    this.#open = null
    if (!open) return
    try {
      await (await open).context.close()
    } catch {
      // It never opened, or is gone already.
    }
  }
}

/** One place where pages are worked on, one after another. */
export class Tab {
  readonly #window: Pick<CrawlWindow, 'newPage' | 'memoryBytes' | 'generation'>
  #view: PageView | null = null
  #generation = 0
  /** Visits of the page when its garbage was collected last. */
  #collectedAt = 0
  #onPopup: (url: string, from: string) => void

  constructor(
    window: Pick<CrawlWindow, 'newPage' | 'memoryBytes' | 'generation'>,
    onPopup: (url: string, from: string) => void,
  ) {
    this.#window = window
    this.#onPopup = onPopup
  }

  /** The page to work on; a fresh one when there is none, or the old one is worn or dead. */
  async view(): Promise<PageView> {
    const current = this.#view
    const isWorn = current !== null && (await this.#isWorn(current.page))
    const isCurrent = this.#generation === this.#window.generation
    if (current && !current.page.isClosed && !isWorn && isCurrent) return current
    this.#generation = this.#window.generation
    this.#collectedAt = 0
    await this.close()
    const page = await this.#window.newPage()
    page.on('popup', (url) => this.#onPopup(url, page.url))
    page.on('crash', () => {
      if (this.#view?.page === page) this.#view = null
    })
    this.#view = new PageView(page)
    return this.#view
  }

  /** A new page costs a process and a load; collecting garbage costs much less, and mostly helps as much. */
  async #isWorn(page: DriverPage): Promise<boolean> {
    const bytes = await this.#window.memoryBytes()
    if (page.visits >= (bytes > TOO_HEAVY_BYTES ? VISITS_WHEN_TOO_HEAVY : VISITS_PER_PAGE)) return true
    if (bytes <= HEAVY_BYTES || page.visits - this.#collectedAt < VISITS_WHEN_HEAVY) return false
    this.#collectedAt = page.visits
    try {
      await page.cdp.send('HeapProfiler.collectGarbage', {}, COLLECT_MS)
      return false
    } catch (error) {
      // A page that does not even do that hangs, or is gone.
      if (!(error instanceof Failure)) throw error
      return true
    }
  }

  /** Closes the page, whatever its scripts do. */
  async close(): Promise<void> {
    const view = this.#view
    this.#view = null
    await view?.page.close()
  }
}
