import { Worker } from 'node:worker_threads'
import {
  endsWithin,
  Failure,
  hasRole,
  type Log,
  PollLoop,
  reportError,
  type Settings,
  siblingModule,
  ThreadCalls,
} from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type CallbackListener,
  type EvidenceFile,
  type FlowPlayer,
  hasWork,
  type ResultDetail,
} from '../../testing/index.ts'
import type { EventList } from '../../threat/index.ts'
import type { FoundMessage } from '../message-mask.ts'
import { oneTimeCodes } from '../recordings/one-time-codes.ts'
import type { SentCases, TriedCase } from '../template-cases/try-cases.ts'
import type { FilterTrial, TriedFilter } from '../threat/try-filter.ts'
import type { DryRunPage, DryRunQuestion } from './dry-runs.ts'
import { Maintenance } from './maintenance.ts'
import type { PlaygroundTrial, SentTrial } from './playground.ts'
import type { WrittenTest } from './save-test.ts'
import type { WireProblem } from './sent-template.ts'
import type {
  MainMethods,
  ReadFilter,
  SentSearch,
  TestRunMethods,
  TestRunSetup,
} from './test-run-protocol.ts'
import type { SentLogin, TriedLogin } from './try-login.ts'

const LOOK_EVERY_MS = 1_000
/** Connections to the store of the thread. */
const CONNECTIONS = 4
const CLOSE_PATIENCE_MS = 10_000

/** What test runs need of the installation. */
interface TestRunsDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly callback: CallbackListener | null
  readonly player: FlowPlayer
  /** Listeners of this installation, `address:port`. */
  readonly own: readonly string[]
}

interface Thread {
  readonly worker: Worker
  readonly calls: ThreadCalls<TestRunMethods>
  readonly ended: Promise<void>
}

/**
 * Test runs of this process, in their own thread. It starts when there is something to do; one that dies is
 * replaced by the next, which continues with its runs like another process would.
 */
export class TestRuns {
  readonly #deps: TestRunsDeps
  readonly #maintenance: Maintenance
  #thread: Thread | null = null
  readonly #starts: PollLoop
  #isClosed = false

  constructor(deps: TestRunsDeps) {
    this.#deps = deps
    this.#maintenance = new Maintenance(deps.store, deps.log)
    this.#starts = new PollLoop({
      everyMs: LOOK_EVERY_MS,
      pass: () => this.#startForWork(),
      onError: (error) => this.#warn(error),
      news: { from: deps.store.news, topics: ['runs'], isTimed: true },
    })
  }

  /** Without the role, the thread only tries tests and filters for those who write them. */
  get #isWorker(): boolean {
    return hasRole(this.#deps.settings, 'worker')
  }

  begin(): void {
    this.#maintenance.begin()
    this.#starts.begin()
  }

  /** Looks for work now instead of at the next tick, which comes all the same should this one fail. */
  wake(): void {
    if (!this.#isWorker || this.#isClosed) return
    this.#started()
      .calls.call('wake', [])
      .catch((error: unknown) => this.#warn(error))
  }

  /** What results need beside runs, done now: see {@link Maintenance}. */
  keepResults(): Promise<void> {
    return this.#maintenance.keep()
  }

  /** Resolves when every request that this process sent so far is in the log of its run. */
  async logWritten(): Promise<void> {
    await this.#thread?.calls.call('logWritten', [])
  }

  /**
   * Tries a test on one endpoint and keeps nothing; a trial that takes longer than 15 s is reported while it runs.
   *
   * @throws Failure INVALID_TEST_TEMPLATE, INVALID_TEST_SAMPLE, NO_SAMPLE_TO_TEST, TARGET_OUT_OF_SCOPE, PLAYGROUND_BUSY
   */
  tryTest(trial: SentTrial): Promise<PlaygroundTrial> {
    return this.#started().calls.call('tryTest', [trial])
  }

  /** A trial that somebody began. @throws Failure PLAYGROUND_NOT_FOUND */
  findTrial(id: string, user: string): Promise<PlaygroundTrial> {
    if (this.#thread === null) return Promise.reject(new Failure('PLAYGROUND_NOT_FOUND', {}))
    return this.#thread.calls.call('findTrial', [id, user])
  }

  /** Runs the cases of a test. @throws Failure INVALID_TEST_TEMPLATE, INVALID_TEST_CASES, OVERLOADED */
  tryCases(sent: SentCases): Promise<TriedCase[]> {
    return this.#started().calls.call('tryCases', [sent])
  }

  /**
   * Signs a role in once, and tells every step.
   *
   * @throws Failure TEST_ROLE_UNKNOWN, TEST_ROLE_AUTH_UNKNOWN
   */
  tryLogin(login: SentLogin): Promise<TriedLogin> {
    return this.#started().calls.call('tryLogin', [login])
  }

  /** What a run would send, found out without sending. */
  dryRun(question: DryRunQuestion): Promise<DryRunPage> {
    return this.#started().calls.call('dryRun', [question])
  }

  /**
   * Saves a test that was written in the dashboard; @returns its id, and its warnings.
   *
   * @throws Failure TEMPLATE_INFO_ABSENT, TEMPLATE_KEY_ABSENT, INVALID_TEST_TEMPLATE, INVALID_TEST_CASES,
   *   TEMPLATE_ID_TAKEN
   */
  save(test: WrittenTest): Promise<{ id: string; problems: WireProblem[] }> {
    return this.#started().calls.call('saveTest', [test])
  }

  /** Reads a filter of threats that somebody wrote. @throws Failure as `readSentFilter` does */
  readFilter(content: string): Promise<ReadFilter> {
    return this.#started().calls.call('readFilter', [content])
  }

  /** Tries a filter on stored messages. @throws Failure as `readSentFilter` does */
  tryFilter(trial: FilterTrial): Promise<TriedFilter> {
    return this.#started().calls.call('tryFilter', [trial])
  }

  /** Events of threats whose message a pattern is found in. @throws Failure INVALID_REGEX, PATTERN_OVER_BUDGET */
  searchPayloads(search: SentSearch): Promise<EventList> {
    return this.#started().calls.call('searchPayloads', [search])
  }

  /** Masks recorded messages that would hold up the main thread; of each body as many characters are returned. */
  maskMessages(messages: readonly FoundMessage[], maxBody?: number): Promise<FoundMessage[]> {
    return this.#started().calls.call('maskMessages', [messages, maxBody])
  }

  /**
   * The evidence of a result as a file, judged again.
   *
   * @throws Failure TEST_EVIDENCE_GONE, SEAL_BROKEN
   */
  exportEvidence(result: ResultDetail, isUnmasked: boolean): Promise<EvidenceFile> {
    return this.#started().calls.call('exportEvidence', [result, isUnmasked])
  }

  /** Ends what is under way; another process, or the next start, continues with it. */
  async close(patienceMs = CLOSE_PATIENCE_MS): Promise<void> {
    this.#isClosed = true
    await this.#starts.close()
    await this.#maintenance.close()
    const thread = this.#thread
    if (thread === null) return
    try {
      await endsWithin(patienceMs, Promise.race([thread.calls.call('close', []), thread.ended]))
    } finally {
      this.#thread = null
      await thread.worker.terminate()
    }
  }

  async #startForWork(): Promise<void> {
    if (this.#thread !== null || this.#isClosed) return
    if ((await hasWork(this.#deps.store)) && !this.#isClosed) this.#started()
  }

  #started(): Thread {
    if (this.#isClosed) throw new Failure('SHUTTING_DOWN', {})
    this.#thread ??= this.#start()
    return this.#thread
  }

  #start(): Thread {
    const { store, settings, callback, own, log, player } = this.#deps
    const address = store.addressFor(CONNECTIONS)
    const callbacks = callback === null ? null : { url: callback.url, keysUrl: callback.keysUrl }
    const worker = new Worker(siblingModule(import.meta.url, './test-run-worker'), {
      workerData: { address, settings, callbacks, own } satisfies TestRunSetup,
      transferList: address.kind === 'embedded' ? [address.gate] : [],
    })
    const methods: MainMethods = {
      log: (level, event, fields) => log[level](event, fields),
      play: (flow, signal) => player.play(flow, signal),
      oneTimeCode: oneTimeCodes(store),
      publishKeys: (keys) => callback?.publishKeys(keys),
    }
    const calls = new ThreadCalls<TestRunMethods>(worker, methods)
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const thread = { worker, calls, ended }
    worker.on('error', (error) => this.#died(thread, error))
    worker.on('exit', () => this.#died(thread, new Error('the thread of test runs ended')))
    return thread
  }

  #died(thread: Thread, error: unknown): void {
    thread.calls.end(new Failure('SHUTTING_DOWN', {}))
    if (this.#thread !== thread || this.#isClosed) return
    this.#thread = null // the next tick starts another where something is under way
    this.#warn(error)
  }

  #warn(error: unknown): void {
    if (!this.#isClosed) this.#deps.log.warn('part.failed', { part: 'test runs', error: reportError(error) })
  }
}
