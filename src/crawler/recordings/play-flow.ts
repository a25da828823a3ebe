import { TargetScope } from '../../http/sender/index.ts'
import { Failure } from '../../kit/index.ts'
import { allowedHosts } from '../browser/allowed-hosts.ts'
import type { DriverContext } from '../browser/driver.ts'
import { findBrowser, readyBrowser } from '../browser/find-browser.ts'
import { hostRules } from '../browser/host-rules.ts'
import type { RequestGuard } from '../browser/request-guard.ts'
import { type BrowserLocale, launchBrowser } from '../browser/running-browser.ts'
import type { TakeCodeStep } from '../login/one-time-code.ts'
import { FlowError } from './flow-error.ts'
import { FLOW_MS, sentenceOf } from './flow-login.ts'
import { parseRecording } from './parse-recording.ts'
import { HeaderCopies, type LoginPictures, type PlayedLogin, playRecording } from './recorded-login.ts'
import type { Recording } from './recording.ts'

/** Where recorded logins are played. */
export interface FlowStage {
  /** Setting `browser`. */
  readonly browser: string | null
  /** Keeps an unpacked browser. */
  readonly folder: string
  /** Listeners of this installation, never to be asked for anything. */
  readonly own: readonly string[]
  /** Setting `allowedTargets`. */
  readonly allowed: readonly string[]
  readonly verifiesTls: boolean
  /** What pages see of the person in front of the browser. */
  readonly locale?: BrowserLocale
  /** Keeps one-time codes from being typed twice. */
  readonly takeCodeStep: TakeCodeStep
}

/**
 * Plays a recorded login in a separate browser that reaches the hosts of the recording, and those that the operator
 * allows, and nothing else. Five minutes at most.
 *
 * @throws FlowError with a sentence for people, without secrets
 */
export async function playFlow(
  stage: FlowStage,
  flow: { readonly content: string; readonly tokenFetchCommand: string },
  pictures: LoginPictures | null,
  stop: AbortSignal,
): Promise<PlayedLogin> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(FLOW_MS)])
  try {
    const recording = await parseRecording(flow.content)
    return await onStage(stage, recording, flow.tokenFetchCommand, pictures, signal)
  } catch (error) {
    if (error instanceof FlowError) throw error
    if (error instanceof Failure && error.code === 'BROWSER_MISSING')
      throw new FlowError(0, 'there is no browser; "vigil doctor" says how to get one', { cause: error })
    throw new FlowError(0, sentenceOf(error), { cause: error })
  }
}

async function onStage(
  stage: FlowStage,
  recording: Recording,
  command: string,
  pictures: LoginPictures | null,
  signal: AbortSignal,
): Promise<PlayedLogin> {
  const supply = findBrowser(stage.browser)
  if (supply === null) throw new Failure('BROWSER_MISSING', {})
  const { urls, endings } = allowedHosts(stage.allowed)
  const hosts = [...recording.urls, ...urls]
  const scope = new TargetScope(
    hosts.map(({ host }) => host),
    stage.own,
    stage.allowed,
  )
  // Before anything is unpacked: whether there is somewhere to go.
  await hostRules(hosts, scope)
  const found = await readyBrowser(supply, stage.folder)
  const driver = await launchBrowser({
    found,
    hosts,
    endings,
    scope,
    verifiesTls: stage.verifiesTls,
    locale: stage.locale,
  })
  // Whatever hangs, the end of the time ends it.
  const end = (): void => void driver.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    const copies = new HeaderCopies(recording.copies)
    const context: DriverContext = await driver.newContext({
      guard: scopeGuard(scope),
      sink: copies,
      popups: 'allow',
    })
    return await playRecording(recording, command.trim() || null, {
      context,
      copies,
      pictures,
      takeCodeStep: stage.takeCodeStep,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    await driver.close()
  }
}

/** A login goes where its pages lead, within what the product may reach. */
function scopeGuard(scope: TargetScope): RequestGuard {
  return {
    decide({ url }) {
      const refused = scope.check(url)
      return refused === null ? { kind: 'allow' } : { kind: 'block', reason: refused }
    },
  }
}
