import type { Browser, CDPSession, Page, Target } from 'puppeteer-core'
import type { TargetScope } from '../../http/sender/index.ts'
import { endsWithin, Failure } from '../../kit/index.ts'
import { BrowserProcess } from './browser-process.ts'
import { asFailure, TimedSession } from './cdp.ts'
import type { BrowserDriver, ContextOptions, DriverContext } from './driver.ts'
import type { FoundBrowser } from './find-browser.ts'
import { hostRules, type ResolveName } from './host-rules.ts'
import { IdentityContext, type TargetFacts } from './identity-context.ts'
import { launchFlags } from './launch-flags.ts'
import { memoryOfTree } from './process-memory.ts'
import { makeProfile, removeProfile, sweepProfiles } from './profiles.ts'
import { whyUnusable } from './why-unusable.ts'
import { withDeadline } from './with-deadline.ts'

/** How to start a browser. */
interface LaunchOptions {
  readonly found: FoundBrowser
  /**
   * One URL for each host that the browser may reach, the most needed first; every other name and address leads nowhere,
   * whatever pages ask for.
   */
  readonly hosts: readonly URL[]
  /** Endings of further names (`*.example`) that lead wherever the system says. */
  readonly endings?: readonly string[]
  /** What may be reached at all: private addresses, listeners of our own (http/sender). */
  readonly scope: TargetScope
  /** Whether certificates of targets must be valid. */
  readonly verifiesTls: boolean
  /** Null for the browser's own. */
  readonly userAgent?: string | null
  /** What pages see of the person in front of the browser; English (US) in the system's time zone unless given. */
  readonly locale?: BrowserLocale
  readonly resolve?: ResolveName
  /** Milliseconds to start in; 30 seconds unless given. */
  readonly launchMs?: number
  /** Descriptor that reports the end of the process that ordered the browser, which is that of the browser as well. */
  readonly lifeline?: number | null
}

/** Language (BCP 47) and time zone (IANA) of a browser; null for the time zone of the system. */
export interface BrowserLocale {
  readonly language: string
  readonly timeZone: string | null
}

const LAUNCH_MS = 30_000
const CLOSE_MS = 2000

/**
 * Starts a browser that talks over a pipe: it ends when this process dies, however it dies.
 *
 * @throws Failure BROWSER_UNUSABLE, BROWSER_GONE, BROWSER_TIMED_OUT, TARGET_OUT_OF_SCOPE, TARGET_UNREACHABLE
 */
export async function launchBrowser(options: LaunchOptions): Promise<BrowserDriver> {
  const { found, scope, verifiesTls, userAgent = null, lifeline = null } = options
  const { language, timeZone } = options.locale ?? { language: 'en-US', timeZone: null }
  const { hosts, endings = [], resolve, launchMs = LAUNCH_MS } = options
  const rules = await hostRules(hosts, scope, { endings, resolve })
  void sweepProfiles()
  const profile = makeProfile()
  const isRoot = process.getuid?.() === 0
  const program = new BrowserProcess({
    path: found.path,
    flags: [
      ...launchFlags({ path: found.path, hostRules: rules, verifiesTls, isRoot, userAgent, language }),
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
    ],
    environment: {
      ...process.env,
      ...found.environment,
      ...(timeZone === null ? {} : { TZ: timeZone }),
    },
    lifeline,
  })
  try {
    // A program that ends is reported at once: the library would wait for its answer for minutes.
    const failed = program.ended.then((end) => Promise.reject(whyUnusable(found.path, end)))
    failed.catch(() => {}) // when it ends later, others say so
    return await withDeadline(Promise.race([begun(program, found.path, profile), failed]), launchMs, 'launch')
  } catch (error) {
    program.kill()
    void removeProfile(profile)
    throw error instanceof Failure ? error : asFailure(error, 'attach')
  }
}

async function begun(program: BrowserProcess, path: string, profile: string): Promise<RunningBrowser> {
  try {
    // The library is large, and most processes never start a browser.
    const { connect } = await import('puppeteer-core')
    const browser = await connect({ transport: program, defaultViewport: null })
    const running = new RunningBrowser(browser, program, path, profile)
    await running.begin()
    return running
  } catch (error) {
    // Why it ended says more than that its pipe did.
    if (program.isOver) throw whyUnusable(path, await program.ended)
    throw error
  }
}

/** Browsers of this process. */
const running = new Set<RunningBrowser>()

/**
 * A page in the terms of the library, for the replay of recorded flows only; null when no browser has it.
 *
 * @param targetId {@link DriverPage.id}
 */
export async function libraryPageOf(targetId: string): Promise<{ browser: Browser; page: Page } | null> {
  for (const { library } of running) {
    // The library keeps the id of a target to itself, and has no other way to find one.
    const target = library
      .targets()
      .find((one) => (one as Target & { readonly _targetId?: string })._targetId === targetId)
    const page = await target?.page()
    if (page != null) return { browser: library, page }
  }
  return null
}

/** A browser over the library. */
class RunningBrowser implements BrowserDriver {
  readonly path: string
  readonly gone: Promise<'closed' | 'crashed'>
  readonly library: Browser
  readonly #program: BrowserProcess
  readonly #profile: string
  readonly #contexts = new Map<string, IdentityContext>()
  readonly #sessions = new Map<string, TimedSession>()
  #root: TimedSession | null = null
  #closing: Promise<void> | null = null

  constructor(browser: Browser, program: BrowserProcess, path: string, profile: string) {
    this.library = browser
    this.#program = program
    this.path = path
    this.#profile = profile
    running.add(this)
    this.gone = new Promise((resolve) => {
      browser.once('disconnected', () => {
        for (const session of this.#sessions.values()) session.detached()
        for (const context of this.#contexts.values()) void context.drain()
        resolve(this.#closing === null ? 'crashed' : 'closed')
        void this.close()
      })
    })
  }

  get processId(): number | null {
    return this.#program.isOver ? null : this.#program.processId
  }

  /** Listens to every target that comes up, before it runs. */
  async begin(): Promise<void> {
    const root = new TimedSession(
      await withDeadline(this.library.target().createCDPSession(), 10_000, 'attach'),
    )
    this.#root = root
    const connection = root.raw.connection()
    connection?.on('sessiondetached', (raw: CDPSession) => {
      this.#sessions.get(raw.id())?.detached()
      this.#sessions.delete(raw.id())
    })
    root.on('Target.attachedToTarget', (event) => {
      const target = event['targetInfo'] as TargetFacts
      const session = this.#sessionOf(String(event['sessionId']))
      const context = this.#contexts.get(target.browserContextId ?? '')
      if (session === null) return
      if (context === undefined) session.post('Runtime.runIfWaitingForDebugger')
      else context.adopt(session, target)
    })
    await root.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}],
    })
  }

  async newContext(options: ContextOptions): Promise<DriverContext> {
    const root = this.#root
    if (root === null || this.#closing !== null) throw new Failure('BROWSER_GONE', { call: 'newContext' })
    const { browserContextId: contextId } = await root.send<{ browserContextId: string }>(
      'Target.createBrowserContext',
      { disposeOnDetach: true },
    )
    const context = new IdentityContext(
      {
        root,
        contextId,
        sessionOf: (id) => this.#sessionOf(id),
        closed: () => void this.#contexts.delete(contextId),
      },
      options,
    )
    this.#contexts.set(contextId, context)
    await root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId })
    await context.begin()
    return context
  }

  async memoryBytes(): Promise<number> {
    const { processId } = this
    return processId === null ? 0 : memoryOfTree(processId)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const program = this.#program
    if (!program.isOver) {
      for (const context of this.#contexts.values()) await context.drain()
      this.#root?.post('Browser.close')
      // Whatever keeps it from closing, it does not survive this.
      if (!(await endsWithin(CLOSE_MS, program.ended))) program.kill()
    }
    running.delete(this)
    await program.ended
    await removeProfile(this.#profile)
  }

  #sessionOf(id: string): TimedSession | null {
    const known = this.#sessions.get(id)
    if (known !== undefined) return known
    const raw = this.#root?.raw.connection()?.session(id) ?? null
    if (raw === null) return null
    const made = new TimedSession(raw)
    this.#sessions.set(id, made)
    return made
  }
}
