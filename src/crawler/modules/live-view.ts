import { nowSeconds } from '../../kit/index.ts'
import type { DriverContext, DriverPage } from '../browser/driver.ts'
import type { CrawlFrame } from '../records/crawl-leftovers.ts'

const FRAME_EVERY_MS = 1_000
const QUALITY = 40
const WIDTH = 800
/** Base64 characters of a picture that is sent. */
const MAX_CHARS = 1024 * 1024

/** Takes a picture of the page that was opened last, once a second, while somebody watches. */
export class LiveView {
  readonly #send: (frame: CrawlFrame) => Promise<void>
  readonly #pages = new Set<DriverPage>()
  #isWatched = false
  #timer: NodeJS.Timeout | null = null
  #isTaking = false

  constructor(send: (frame: CrawlFrame) => Promise<void>) {
    this.#send = send
  }

  /** The same context, whose pages can be looked at. */
  over(context: DriverContext): DriverContext {
    return {
      newPage: async () => {
        const page = await context.newPage()
        for (const known of this.#pages) if (known.isClosed) this.#pages.delete(known)
        this.#pages.add(page)
        return page
      },
      session: () => context.session(),
      restore: (session) => context.restore(session),
      clear: () => context.clear(),
      close: () => context.close(),
    }
  }

  /** Begins and ends the pictures. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (isWatched) this.#timer ??= setInterval(() => void this.#take(), FRAME_EVERY_MS)
    else this.close()
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #take(): Promise<void> {
    const page = [...this.#pages].findLast(({ isClosed }) => !isClosed)
    if (page === undefined || this.#isTaking || !this.#isWatched) return
    this.#isTaking = true
    try {
      const picture = await page.screenshot({ format: 'jpeg', quality: QUALITY, width: WIDTH })
      const frame = Buffer.from(picture).toString('base64')
      if (frame.length <= MAX_CHARS) await this.#send({ frame, url: page.url, takenAt: nowSeconds() })
    } catch {
      // A page that is closed or busy has no picture now; the next second brings another chance.
    } finally {
      this.#isTaking = false
    }
  }
}
