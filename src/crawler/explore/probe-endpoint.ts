import { harmOf } from '../../http/harmful-words.ts'
import type { DriverPage } from '../browser/driver.ts'
import { longestPauseMs } from '../browser/target-pace.ts'
import { BoundedSet } from './bounded-set.ts'
import type { CatchAll } from './catch-all.ts'
import type { ProbeBody } from './complained-body.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { Candidate, ProbePayload } from './harvest.ts'
import { pause } from './load-page.ts'
import { isStaticFile, requestKind } from './locations.ts'
import { ProbeBodies } from './probe-bodies.ts'

interface ProbeAnswer {
  readonly status: number
  readonly isHtml: boolean
  readonly text: string
}

/** Statuses of answers that say what a body lacks, and of records. */
const REFUSED = /^(?:400|422)$/
const READ = /^200$/
/** Times that a request is sent again with what its answer asked for. */
const CORRECTIONS = 6

/** Milliseconds between two looks whether a request would still be held back, and for how long one may be. */
const LOOK_MS = 200
const SHORT_WAIT_MS = 500
/** Priority of what is sent again: after what writes with known parameters, before guesses. */
const AGAIN = 12

/** Asks for endpoints that were only read about, as the page would: with its cookies and its Authorization header. */
export class Prober {
  readonly #context: CrawlContext
  readonly #catchAll: CatchAll
  readonly #bodies: ProbeBodies
  /** What was asked for: it may have been queued as a guess, and again when its parameters were known. */
  readonly #asked = new BoundedSet(20_000)
  /** What was not answered and is asked for again. */
  readonly #repeated = new BoundedSet(1_000)

  constructor(context: CrawlContext, catchAll: CatchAll) {
    this.#context = context
    this.#catchAll = catchAll
    this.#bodies = new ProbeBodies(context.knowledge)
  }

  /**
   * Sends one probe from a page of the same origin.
   *
   * @param isAgain whether it is sent although it was before, as without the session
   * @returns whether it found a kind of request that is answered
   */
  async probe(page: DriverPage, payload: ProbePayload, isAgain = false): Promise<boolean> {
    const { knowledge, options, counts } = this.#context
    const url = new URL(payload.url)
    const kind = requestKind(payload.method, url)
    const asked = `${payload.method} ${url.href}`
    if (!knowledge.isOpen(kind) || (this.#asked.has(asked) && !isAgain)) return false
    const isRead = payload.method === 'GET' || payload.method === 'HEAD'
    if (!isRead && options.mode !== 'full') return false
    const harm = harmOf(`${url.pathname} ${url.search}`)
    if (harm !== null && (options.mode !== 'full' || harm === 'ends the session')) return false
    if (!isRead && knowledge.account.isIn(url)) {
      this.#context.harvest.leftOut.note('avoided: it is the account of the crawl', url.href)
      return false
    }
    this.#asked.add(asked)
    try {
      await this.#bringHome(page, url)
    } catch (error) {
      // Nothing was sent: it is when its work is done again.
      this.#asked.delete(asked)
      throw error
    }
    page.cause = 'probe'
    counts.probes++
    const record = await this.#recordAt(page, payload)
    const body = record === undefined ? undefined : this.#bodies.first(payload, record)
    if (body === undefined) return false
    const answer = await this.#ask(page, payload, body, record !== '')
    if ((answer?.status ?? 0) === 0 && payload.method !== 'POST') {
      this.#asked.delete(asked)
      if (!isRead) await this.#askLater(payload)
    }
    if (!answer || answer.status === 0 || answer.status === 404) return false
    // Asked about before anything is taken for a page: it may be what the application sends for any path.
    if (answer.isHtml && isRead && (await this.#catchAll.isAnswer(page, url, answer.text))) return false
    if (payload.guess !== undefined) await this.#context.harvest.noteAnswered(payload.guess)
    // A script is only asked for to be read: it is not a find.
    if (isStaticFile(url)) return false
    if (answer.isHtml && isRead && answer.status < 400) {
      // A page after all, of the server's own making.
      const { sourceUrl = '', sourceXpath = '', text = '' } = payload.guess ?? {}
      const found: Candidate = {
        url: payload.url,
        origin: 'script',
        use: 'page',
        sourceUrl,
        sourceXpath,
        text,
      }
      await this.#context.harvest.take([found])
    }
    return knowledge.noteProbed(kind, answer.status >= 400)
  }

  /**
   * Once more, behind what waits with a higher priority: the application may have been busy with what came before. It may
   * also have done what was asked without an answer in time, which PUT, PATCH and DELETE only do again.
   */
  async #askLater(payload: ProbePayload): Promise<void> {
    const asked = `${payload.method} ${payload.url}`
    if (!this.#repeated.add(asked)) return
    const item = {
      kind: 'probe' as const,
      key: `probe ${asked} again`,
      location: payload.url,
      priority: AGAIN,
    }
    await this.#context.ports.frontier.add([{ ...item, payload: JSON.stringify(payload) }])
  }

  /** A page of another origin could not ask. */
  async #bringHome(page: DriverPage, url: URL): Promise<void> {
    if (URL.canParse(page.url) && new URL(page.url).origin === url.origin) return
    page.cause = 'load'
    await page.goto(this.#context.options.start, { until: 'domcontentloaded' })
  }

  /**
   * Sends a probe, and again with the body that was asked for while that changes. A record that was read is sent back as
   * it is, or not at all: what else an answer asks for would change it.
   */
  async #ask(
    page: DriverPage,
    payload: ProbePayload,
    first: ProbeBody | null,
    isRecord: boolean,
  ): Promise<ProbeAnswer | null> {
    let body = first
    let answer = await this.#send(page, payload, body)
    if (payload.method === 'GET' || payload.method === 'HEAD' || isRecord) return answer
    const refused = new Set<string>()
    for (let time = 0; time < CORRECTIONS && /^4(?:00|22)$/.test(`${answer?.status}`); time++) {
      refused.add(JSON.stringify(body))
      const next = this.#bodies.next(payload, body, answer!.text)
      if (next === null || refused.has(JSON.stringify(next))) break
      body = next
      this.#context.counts.probes++
      answer = await this.#send(page, payload, body)
    }
    if (answer !== null && answer.status >= 200 && answer.status < 300)
      this.#bodies.noteAccepted(payload, body)
    return answer
  }

  /**
   * What is to be replaced, or fields of it, where pages have read such a record: sent back, it changes nothing. '' where
   * no such record was read, or there is none; undefined where it could not be read now.
   */
  async #recordAt(page: DriverPage, { url, method, bodyKeys }: ProbePayload): Promise<string | undefined> {
    const { knowledge, counts } = this.#context
    const isChange = method === 'PUT' || (method === 'PATCH' && bodyKeys !== null)
    if (!isChange || !knowledge.hasKind(requestKind('GET', new URL(url)))) return ''
    counts.probes++
    const answer = await this.#send(page, { url, method: 'GET', bodyKeys: null }, null, READ)
    if (answer?.status === 404) return ''
    return answer?.status === 200 && !answer.isHtml && answer.text !== '' ? answer.text : undefined
  }

  /**
   * Waits while a request would be held back, as by a pause that the application asked for: it would be given up before it
   * leaves. The last calls of a crawl that ends early are sent after it is said to be ending, so they wait as well.
   *
   * @returns false where the crawl is over
   */
  async #awaitTurn(url: URL): Promise<boolean> {
    const { ports, budget } = this.#context
    const latest = performance.now() + longestPauseMs
    while ((ports.waitMs?.(url) ?? 0) > SHORT_WAIT_MS && performance.now() < latest) {
      if (ports.stop.aborted || budget.left <= budget.reserve) return false
      this.#context.noteWait()
      await pause(LOOK_MS)
    }
    return true
  }

  /** @param read statuses whose text is wanted: others may go on without end, or be large */
  async #send(
    page: DriverPage,
    payload: ProbePayload,
    body: ProbeBody | null,
    read = REFUSED,
  ): Promise<ProbeAnswer | null> {
    if (!(await this.#awaitTurn(new URL(payload.url)))) return null
    const headers: Record<string, string> = {}
    const { authorization } = this.#context.knowledge
    if (authorization !== null) headers['authorization'] = authorization
    if (body !== null) headers['content-type'] = 'application/json'
    const init = {
      method: payload.method,
      headers,
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      redirect: 'follow',
    }
    try {
      return await page.evaluate<ProbeAnswer>(
        `(async () => {
          const stop = new AbortController(); setTimeout(() => stop.abort(), 4000)
          try {
            const answer = await fetch(${JSON.stringify(payload.url)}, { ...${JSON.stringify(init)}, signal: stop.signal })
            const isHtml = (answer.headers.get('content-type') ?? '').includes('html')
            let text = ''
            if (isHtml || ${read}.test(answer.status)) try { text = (await answer.text()).slice(0, 20000) } catch {}
            return { status: answer.status, isHtml, text }
          } catch { return { status: 0, isHtml: false, text: '' } }
        })()`,
        { isolated: true, deadlineMs: 8000 },
      )
    } catch {
      // The page was replaced meanwhile; the request itself was captured if it left.
      return null
    }
  }
}
