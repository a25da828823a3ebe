import type { DriverPage } from '../browser/driver.ts'
import { CLEANUP_CAUSE } from '../safety/change-filter.ts'
import type { OwnDraft } from '../safety/own-drafts.ts'
import { BoundedSet } from './bounded-set.ts'
import type { CrawlContext } from './crawl-context.ts'
import { type CrawlWindow, Tab } from './tab.ts'

interface Removal {
  readonly status: number
  /** Status of a look at it afterwards. */
  readonly after: number
}

/** Looks after what a crawl creates although it is to change nothing. */
export class DraftKeeper {
  readonly #context: CrawlContext
  readonly #log: (message: string) => void
  readonly #warn: (sentence: string) => void
  readonly #told = new BoundedSet(1_000)

  constructor(context: CrawlContext, log: (message: string) => void, warn: (sentence: string) => void) {
    this.#context = context
    this.#log = log
    this.#warn = warn
  }

  /** Takes in what the last request taught. */
  note(): void {
    const drafts = this.#context.ports.changes?.drafts
    if (drafts === undefined) return
    // Anyone who continues with the crawl has to know what to remove.
    for (const { url } of drafts.made) if (this.#told.add(url)) this.#context.shared.learn('draft', url)
    // What was held back may be sent now, as if something it waits for had been written.
    const lesson = drafts.takeLesson()
    if (lesson !== null) this.#context.knowledge.noteWrite(`draft ${lesson}`)
  }

  /** Removes what the crawl created, and looks whether it is gone; what is left is reported. */
  async remove(window: CrawlWindow): Promise<void> {
    const drafts = this.#context.ports.changes?.drafts
    if (drafts === undefined || drafts.made.length === 0) return
    const { start } = this.#context.options
    const tab = new Tab(window, () => {})
    let removed = 0
    for (const draft of drafts.made) {
      try {
        const { page } = await tab.view()
        await bringHome(page, draft.url, start)
        page.cause = CLEANUP_CAUSE
        const { status, after } = await remove(page, draft, this.#context.knowledge.authorization)
        if (after !== 404 && after !== 410)
          throw new Error(`DELETE answered ${status}, and a look at it afterwards ${after}`)
        drafts.forget(draft.url)
        removed++
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        this.#warn(`${draft.url} was created by this crawl and is still there (${why}). Delete it by hand.`)
      }
    }
    await tab.close()
    this.#log(`Removed ${removed} drafts that the crawl had created`)
  }
}

/** A page of another origin could not ask. */
async function bringHome(page: DriverPage, url: string, start: string): Promise<void> {
  const { origin } = new URL(url)
  if (URL.canParse(page.url) && new URL(page.url).origin === origin) return
  page.cause = 'load'
  await page.goto(new URL(start).origin === origin ? start : url, { until: 'domcontentloaded' })
}

function remove(
  page: DriverPage,
  { url, headers }: OwnDraft,
  authorization: string | null,
): Promise<Removal> {
  const sent = { ...(authorization === null ? {} : { authorization }), ...headers }
  return page.evaluate<Removal>(
    `(async () => {
      const ask = async (method) => {
        try { return (await fetch(${JSON.stringify(url)}, { method, headers: ${JSON.stringify(sent)} })).status }
        catch { return 0 }
      }
      return { status: await ask('DELETE'), after: await ask('GET') }
    })()`,
    { isolated: true, deadlineMs: 10_000 },
  )
}
