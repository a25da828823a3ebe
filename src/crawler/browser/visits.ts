import { Failure } from '../../kit/index.ts'
import type { TimedSession } from './cdp.ts'
import type { Visit, VisitOptions } from './driver.ts'
import type { ResponseReceived } from './wire-facts.ts'

const VISIT_MS = 20_000
const MAX_KNOWN = 20
/** A navigation that asks for nothing for so long was lost: browsers drop one that comes while another one commits. */
const LOST_MS = 1_500
/** A change of the fragment wears a page so much less than a new document. */
const ROUTE_WEAR = 0.25

interface Begun {
  readonly loaderId?: string
  readonly errorText?: string
}

interface Loaded {
  readonly names: Set<string>
  status: number | null
}

/** Navigations of one tab: each ends at its event, with a failure, or at its deadline. */
export class Visits {
  readonly #session: TimedSession
  /** What is known of the last documents, by the id of their loader. */
  readonly #loaders = new Map<string, Loaded>()
  #wake: (() => void) | null = null
  #count = 0
  /** Documents asked for so far. */
  #asked = 0
  #isGone = false

  constructor(session: TimedSession, mainFrameId: string) {
    this.#session = session
    session.on('Page.lifecycleEvent', (event) => {
      if (event['frameId'] !== mainFrameId) return
      this.#loader(String(event['loaderId'])).names.add(String(event['name']))
      this.#wake?.()
    })
    for (const event of ['Network.requestWillBeSent', 'Fetch.requestPaused'])
      session.on(event, ({ type, resourceType, frameId }) => {
        if ((type ?? resourceType) === 'Document' && frameId === mainFrameId) this.#asked++
      })
    session.on('Network.responseReceived', (event) => {
      const { type, loaderId, frameId, response } = event as unknown as ResponseReceived
      if (type === 'Document' && frameId === mainFrameId) this.#loader(loaderId).status = response.status
    })
    session.on('Inspector.targetCrashed', () => this.#gone())
    session.whenDetached(() => this.#gone())
  }

  get count(): number {
    return this.#count
  }

  /** @throws Failure BROWSER_GONE */
  async visit(
    url: string,
    { deadlineMs = VISIT_MS, until = 'load' }: VisitOptions,
  ): Promise<Omit<Visit, 'url'>> {
    if (url !== 'about:blank') this.#count++
    const endMs = performance.now() + deadlineMs
    let begun: Begun
    try {
      begun = await this.#begin(url, deadlineMs)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'BROWSER_TIMED_OUT') return this.#tooLate(null)
      if (error.code === 'BROWSER_REFUSED') return { status: null, problem: String(error.details['reason']) }
      throw error
    }
    const { loaderId, errorText } = begun
    if (errorText !== undefined) return { status: null, problem: problemOf(errorText) }
    if (loaderId === undefined) {
      // Only the fragment changed: the document stays.
      if (url !== 'about:blank') this.#count -= 1 - ROUTE_WEAR
      return { status: null, problem: null }
    }
    const wanted = until === 'load' ? 'load' : 'DOMContentLoaded'
    while (!this.#hasCome(loaderId, wanted)) {
      if (this.#isGone) throw new Failure('BROWSER_GONE', { call: 'Page.navigate' })
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) return this.#tooLate(this.#loader(loaderId).status)
      await this.#news(leftMs)
    }
    return { status: this.#loader(loaderId).status, problem: null }
  }

  /** Navigates, and once more when the browser lost it. */
  async #begin(url: string, deadlineMs: number): Promise<Begun> {
    const asked = this.#asked
    const first = this.#session.send<Begun>('Page.navigate', { url }, deadlineMs)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), LOST_MS)
    })
    const begun = await Promise.race([first, late])
    clearTimeout(timer)
    if (begun !== null || this.#asked !== asked) return begun ?? first
    first.catch(() => {}) // the second one takes its place
    return this.#session.send<Begun>('Page.navigate', { url }, deadlineMs)
  }

  /** A document that took the place of the one asked for counts as well. */
  #hasCome(loaderId: string, name: string): boolean {
    let isLater = false
    for (const [id, { names }] of this.#loaders) {
      isLater ||= id === loaderId
      if (isLater && names.has(name)) return true
    }
    return false
  }

  #tooLate(status: number | null): Omit<Visit, 'url'> {
    this.#session.post('Page.stopLoading')
    return { status, problem: 'deadline' }
  }

  #loader(id: string): Loaded {
    const known = this.#loaders.get(id)
    if (known !== undefined) return known
    const made: Loaded = { names: new Set(), status: null }
    this.#loaders.set(id, made)
    if (this.#loaders.size > MAX_KNOWN) this.#loaders.delete(this.#loaders.keys().next().value!)
    return made
  }

  #news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #gone(): void {
    this.#isGone = true
    this.#wake?.()
  }
}

function problemOf(errorText: string): string {
  return errorText === 'net::ERR_BLOCKED_BY_CLIENT' ? 'blocked' : errorText
}
