import { join } from 'node:path'
import {
  claimFlow,
  createFlow,
  endFlow,
  FlowError,
  type FlowStage,
  type JobFlow,
  keepFlow,
  keepPicture,
  type NewFlow,
  type PlayedLogin,
  playFlow,
  releaseFlow,
  removeOldFlows,
  takeCodeStep,
} from '../../crawler/index.ts'
import {
  type Log,
  PollLoop,
  reportError,
  type Sealer,
  type Settings,
  withHeartbeat,
} from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { FlowPlayer } from '../../testing/index.ts'
import { crawlSignIn, flowResult, playedFlow } from './flow-result.ts'
import { type CrawlSignIn, PendingSignIns } from './pending-sign-ins.ts'

const POLL_EVERY_MS = 1_000
const HEARTBEAT_MS = 2_000
/** After so long without a heartbeat a process counts as dead, and another plays its flow. */
const SILENT_SECONDS = 10
const REMOVE_EVERY_MS = 60_000

/** What recorded logins need of the installation. */
interface FlowDeps {
  readonly store: Store
  readonly sealer: Sealer
  readonly log: Log
  readonly settings: Pick<
    Settings,
    'allowedTargets' | 'browser' | 'browserLanguage' | 'browserTimeZone' | 'dataDir' | 'verifyTargets'
  >
  /** Listeners of this installation. */
  readonly own: readonly string[]
}

/**
 * Plays recorded logins, one at a time, on any process of the store: those that were uploaded, and those of roles that
 * test runs sign in as. A flow that a killed process was playing is played again by the next that looks.
 */
export class FlowService implements FlowPlayer {
  readonly #deps: FlowDeps
  readonly #stage: FlowStage
  /** Logins that crawls of outside modules wait for. */
  readonly signIns = new PendingSignIns()
  readonly #uploads: PollLoop
  #hasBegun = false
  readonly #removals: PollLoop
  /** A browser is large: the next login begins when the last one ended. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(deps: FlowDeps) {
    const { settings, own } = deps
    const onError = (error: unknown): void => this.#logError(error)
    this.#deps = deps
    this.#uploads = new PollLoop({
      everyMs: POLL_EVERY_MS,
      pass: (closing) => this.#playAll(closing),
      onError,
      news: { from: deps.store.news, topics: ['logins'], isTimed: true },
    })
    this.#removals = new PollLoop({
      everyMs: REMOVE_EVERY_MS,
      pass: () => removeOldFlows(deps.store),
      onError,
    })
    this.#stage = {
      browser: settings.browser,
      folder: join(settings.dataDir, 'browser'),
      own,
      allowed: settings.allowedTargets,
      verifiesTls: settings.verifyTargets,
      locale: { language: settings.browserLanguage, timeZone: settings.browserTimeZone },
      takeCodeStep: (digest, step) => takeCodeStep(deps.store, digest, step),
    }
  }

  begin(): void {
    this.#uploads.begin()
    this.#hasBegun = true
    this.#removals.begin()
  }

  /** Stores an uploaded flow and plays it as soon as it can be; @returns its id. */
  async upload(flow: NewFlow): Promise<string> {
    const id = await createFlow(this.#deps.store, this.#deps.sealer, flow)
    this.wake()
    return id
  }

  /** Plays the recorded login of a role for a test run. @throws FlowError with a sentence for people */
  async play(
    flow: { readonly content: string; readonly tokenFetchCommand: string },
    signal: AbortSignal,
  ): ReturnType<FlowPlayer['play']> {
    return playedFlow(await this.#inTurn(flow, null, AbortSignal.any([signal, this.#uploads.closing])))
  }

  /** Plays the recorded login of a role for a crawler that does not replay it itself; what fails is reported, never thrown. */
  async signIn(flow: JobFlow): Promise<CrawlSignIn> {
    try {
      return crawlSignIn(await this.#inTurn(flow, null, this.#uploads.closing), flow)
    } catch (error) {
      if (!(error instanceof FlowError)) this.#logError(error)
      const reason = error instanceof FlowError ? error.message : 'the log says why'
      return { cookies: null, headers: {}, error: `Could not fetch access token: ${reason}.` }
    }
  }

  /** Looks for uploaded flows now instead of at the next interval. */
  wake(): void {
    if (this.#hasBegun) void this.#uploads.poll()
  }

  /** Gives back what is under way; the next start plays it. */
  async close(): Promise<void> {
    await Promise.all([this.#uploads.close(), this.#removals.close()])
    await this.#turn.catch(() => {})
  }

  async #playAll(closing: AbortSignal): Promise<void> {
    const { store, sealer } = this.#deps
    while (!closing.aborted) {
      const flow = await claimFlow(store, sealer, SILENT_SECONDS)
      if (flow === null) return
      await this.#playUploaded(flow, closing)
    }
  }

  async #playUploaded(flow: NewFlow & { readonly id: string }, closing: AbortSignal): Promise<void> {
    const { store, sealer } = this.#deps
    const heartbeat = {
      everyMs: HEARTBEAT_MS,
      beat: () => keepFlow(store, flow.id),
      onError: (error: unknown) => this.#logError(error),
    }
    const pictures: Promise<void>[] = []
    const took = (picture: Uint8Array): void => {
      pictures.push(
        keepPicture(store, flow, pictures.length, picture).catch((error) => this.#logError(error)),
      )
    }
    try {
      const played = await withHeartbeat(heartbeat, (unwanted) =>
        this.#inTurn(flow, took, AbortSignal.any([closing, unwanted])),
      )
      await Promise.all(pictures)
      await endFlow(store, sealer, flow.id, { result: flowResult(played) })
    } catch (error) {
      await Promise.all(pictures)
      if (closing.aborted) await releaseFlow(store, flow.id)
      else {
        if (!(error instanceof FlowError)) this.#logError(error)
        const problem = error instanceof FlowError ? error.message : 'the log says why'
        await endFlow(store, sealer, flow.id, { problem })
      }
    }
  }

  #inTurn(
    flow: { readonly content: string; readonly tokenFetchCommand: string },
    took: ((picture: Uint8Array) => void) | null,
    signal: AbortSignal,
  ): Promise<PlayedLogin> {
    const played = this.#turn
      .catch(() => {})
      .then(() => playFlow(this.#stage, flow, took === null ? null : { took }, signal))
    this.#turn = played.catch(() => {})
    return played
  }

  #logError(error: unknown): void {
    this.#deps.log.warn('part.failed', { part: 'recorded logins', error: reportError(error) })
  }
}
