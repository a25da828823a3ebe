import { readdirSync, readFileSync } from 'node:fs'
import type { CapturedExchange } from '../../src/crawler/browser/capture.ts'
import { CrawlGuard } from '../../src/crawler/browser/crawl-guard.ts'
import type { BrowserDriver, DriverContext } from '../../src/crawler/browser/driver.ts'
import { findBrowser } from '../../src/crawler/browser/find-browser.ts'
import { launchBrowser } from '../../src/crawler/browser/running-browser.ts'
import { crawl } from '../../src/crawler/explore/crawl.ts'
import type { CrawlMode, CrawlOutcome } from '../../src/crawler/explore/crawl-options.ts'
import type { FoundUrl, NavigationEdge, SessionKeeper } from '../../src/crawler/explore/crawl-ports.ts'
import { MemoryFrontier } from '../../src/crawler/explore/memory-frontier.ts'
import { dialogAnswers } from '../../src/crawler/safety/answer-dialog.ts'
import { ChangeFilter } from '../../src/crawler/safety/change-filter.ts'
import { OwnAccount } from '../../src/crawler/safety/own-account.ts'
import { CrawlScope } from '../../src/crawler/scope/crawl-scope.ts'
import { TargetScope } from '../../src/http/sender/index.ts'
import { testBrowser } from '../../test/browser/browser.ts'

const POLL_MS = 100

/** What to crawl, and how. */
export interface CrawlTask {
  readonly start: string
  readonly seconds: number
  readonly mode: CrawlMode
  readonly tabs: number
  readonly seeds?: readonly string[]
  readonly outscope?: readonly string[]
  readonly staticAnalysis?: boolean
  readonly identity?: string
  readonly saturationSeconds?: number
  readonly loads?: number
  /** Results are counted by nobody and dropped, so that only the crawler's own memory shows. */
  readonly keepsNothing?: boolean
  /** Signs a fresh context in; null for nobody. */
  readonly signIn?: ((context: DriverContext) => Promise<void>) | null
  readonly session?: SessionKeeper | null
  /** Hears every exchange, before anything is kept. */
  readonly hears?: (captured: CapturedExchange) => void
  /** Asked while it crawls; true ends the crawl before it is finished. */
  readonly isEnough?: (soFar: CrawlFindings) => boolean
}

/** What a crawl found. */
export interface CrawlFindings {
  readonly urls: readonly FoundUrl[]
  readonly edges: readonly NavigationEdge[]
  /** Method and URL of everything captured, with its outcome and status. */
  readonly requests: readonly RequestLine[]
}

/** What a crawl gave, with what it cost. */
export interface CrawlMeasure extends CrawlFindings {
  readonly outcome: CrawlOutcome
  readonly browserSeconds: number
  readonly nodeSeconds: number
  /** Highest proportional memory of the browser, and resident memory of this process, in MB. */
  readonly browserPeak: number
  readonly nodePeak: number
}

/** One request of a crawl. */
export interface RequestLine {
  readonly method: string
  readonly url: string
  readonly kind: CapturedExchange['kind']
  readonly outcome: CapturedExchange['outcome']
  readonly status: number
  readonly cause: string
}

/** Whether a browser can be had on this machine. */
export function hasBrowser(): boolean {
  return findBrowser(process.env['VIGIL_BROWSER'] ?? null) !== null
}

/** Starts a browser that may reach the host of a URL alone. */
export async function openBrowser(start: string): Promise<BrowserDriver> {
  const found = await testBrowser()
  if (!found) throw new Error('there is no browser on this machine')
  const url = new URL(start)
  return launchBrowser({
    found,
    hosts: [url],
    scope: new TargetScope([url.host]),
    verifiesTls: true,
  })
}

/** Runs one crawl and counts what it costs. `opened` is used instead of a separate browser, and stays open. */
export async function runCrawl(task: CrawlTask, opened?: BrowserDriver): Promise<CrawlMeasure> {
  const urls: FoundUrl[] = []
  const edges: NavigationEdge[] = []
  const requests: RequestLine[] = []
  let driver = opened ?? (await openBrowser(task.start))
  const scope = CrawlScope.read({ start: task.start, outscope: task.outscope ?? [], templates: [] })
  if (typeof scope === 'string') throw new Error(scope)
  const changes = task.mode === 'safe' ? new ChangeFilter() : null
  const meter = new CpuMeter(() => driver)
  const stop = new AbortController()
  let guard: CrawlGuard | null = null
  const poll = setInterval(() => {
    if (task.isEnough?.({ urls, edges, requests })) stop.abort()
  }, POLL_MS)
  try {
    const outcome = await crawl(
      {
        start: task.start,
        seeds: task.seeds ?? [],
        outscope: task.outscope ?? [],
        templates: [],
        hosts: [],
        budget: {
          seconds: task.seconds,
          spentSeconds: 0,
          ...(task.saturationSeconds === undefined ? {} : { saturationSeconds: task.saturationSeconds }),
          ...(task.loads === undefined ? {} : { loads: task.loads }),
        },
        mode: task.mode,
        tabs: task.tabs,
        identity: task.identity ?? 'anonymous',
        staticAnalysis: task.staticAnalysis ?? true,
      },
      {
        browser: {
          openContext: async (capture) => {
            if (driver.processId === null) driver = await openBrowser(task.start)
            guard = new CrawlGuard({
              scope,
              targets: new TargetScope([new URL(task.start).host]),
              changes,
              account: task.identity === undefined ? null : new OwnAccount(task.identity),
              requestsPerMinute: 0,
            })
            const context = await driver.newContext({
              guard,
              sink: capture,
              answerDialog: dialogAnswers(changes, task.mode === 'full'),
            })
            await task.signIn?.(context)
            return { driver, context }
          },
        },
        frontier: new MemoryFrontier(),
        sink: {
          url: (found) => void (task.keepsNothing || urls.push(found)),
          edge: (edge) => void (task.keepsNothing || edges.push(edge)),
          exchange(captured) {
            task.hears?.(captured)
            if (!task.keepsNothing) requests.push(lineOf(captured))
          },
          log: (entry) => {
            if (process.env['CRAWL_LOG']) console.error(entry.level, entry.message)
          },
        },
        session: task.session ?? null,
        changes,
        memory: null,
        stop: stop.signal,
        delay: () => guard?.delay ?? null,
        waitMs: (url) => guard?.waitMs(url) ?? 0,
      },
    )
    return { outcome, urls, edges, requests, ...meter.stop() }
  } finally {
    clearInterval(poll)
    meter.stop()
    if (!opened) await driver.close()
  }
}

/** The lines that every coverage command prints beside its score. */
export function describeCost({
  outcome,
  browserSeconds,
  nodeSeconds,
  browserPeak,
  nodePeak,
}: CrawlMeasure): string {
  const work = outcome.loads + outcome.actions + outcome.probes
  const cpu = browserSeconds + nodeSeconds
  return [
    `${outcome.end} after ${outcome.seconds.toFixed(0)} s: ${outcome.loads} loads, ${outcome.actions} actions, ${outcome.probes} probes, ${outcome.states} states, ${outcome.requestKinds} kinds of requests, ${outcome.avoided} avoided, ${outcome.warnings.length} warnings`,
    `CPU ${cpu.toFixed(1)} s (browser ${browserSeconds.toFixed(1)}, Node ${nodeSeconds.toFixed(1)}): ${(work / Math.max(0.1, cpu)).toFixed(2)} operations a CPU-second, ${(work / Math.max(0.1, outcome.seconds)).toFixed(2)} a second`,
    `memory: browser ${browserPeak.toFixed(0)} MB, Node ${nodePeak.toFixed(0)} MB at most`,
  ].join('\n')
}

function lineOf(captured: CapturedExchange): RequestLine {
  return {
    method: captured.exchange.request.method,
    url: captured.url,
    kind: captured.kind,
    outcome: captured.outcome,
    status: captured.exchange.response.status,
    cause: captured.cause ?? '',
  }
}

/** Watches CPU time of this process and of the browser with all its children (Linux), once a second. */
class CpuMeter {
  readonly #driver: () => BrowserDriver
  readonly #timer: NodeJS.Timeout
  readonly #start = process.cpuUsage()
  /** Last seen CPU ticks by process: those that ended keep theirs. */
  readonly #ticks = new Map<number, number>()
  #browserPeak = 0
  #nodePeak = 0

  constructor(driver: () => BrowserDriver) {
    this.#driver = driver
    this.#timer = setInterval(() => void this.#check(), 1000)
    void this.#check()
  }

  stop(): { browserSeconds: number; nodeSeconds: number; browserPeak: number; nodePeak: number } {
    clearInterval(this.#timer)
    const { user, system } = process.cpuUsage(this.#start)
    let ticks = 0
    for (const count of this.#ticks.values()) ticks += count
    return {
      browserSeconds: ticks / 100,
      nodeSeconds: (user + system) / 1e6,
      browserPeak: this.#browserPeak / 1e6,
      nodePeak: this.#nodePeak / 1e6,
    }
  }

  async #check(): Promise<void> {
    this.#nodePeak = Math.max(this.#nodePeak, process.memoryUsage().rss)
    const root = this.#driver().processId
    if (root === null || process.platform !== 'linux') return
    const parents = new Map<number, number>()
    const ticks = new Map<number, number>()
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const stat = statOf(name)
      if (stat) {
        parents.set(Number(name), stat.parent)
        ticks.set(Number(name), stat.ticks)
      }
    }
    for (const [id, count] of ticks) {
      let current: number | undefined = id
      while (current !== undefined && current > 1 && current !== root) current = parents.get(current)
      if (current === root) this.#ticks.set(id, count)
    }
    this.#browserPeak = Math.max(this.#browserPeak, await this.#driver().memoryBytes())
  }
}

function statOf(id: string): { parent: number; ticks: number } | null {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    // It ended between the two looks.
    return null
  }
}
