import { Failure } from '../../kit/index.ts'
import type { Authenticator } from '../login/authenticator.ts'
import type { TakeCodeStep } from '../login/one-time-code.ts'
import { FlowError } from './flow-error.ts'
import { parseRecording } from './parse-recording.ts'
import { HeaderCopies, playRecording } from './recorded-login.ts'

/** A recorded login of a test role, and what its token is for. */
interface FlowLoginOptions {
  /** Recording, JSON text. */
  readonly content: string
  /** Expression that yields the token; '' when there is none. */
  readonly tokenFetchCommand: string
  /** Header that carries the token in requests in scope; '' for none. */
  readonly header: string
  /** What stands before the token in it. */
  readonly prefix: string
}

/** Longest time that a recorded login may take, in milliseconds. */
export const FLOW_MS = 300_000

/**
 * Signs in by playing a recording in the browser of the context.
 *
 * @param takeCodeStep keeps one-time codes from being typed twice
 */
export function flowLogin(
  { content, tokenFetchCommand, header, prefix }: FlowLoginOptions,
  takeCodeStep: TakeCodeStep,
): Authenticator {
  return {
    name: 'recorded login',
    async authenticate(context, signal) {
      try {
        const recording = await parseRecording(content)
        const played = await playRecording(recording, tokenFetchCommand.trim() || null, {
          context,
          copies: new HeaderCopies(recording.copies),
          pictures: null,
          takeCodeStep,
          signal: AbortSignal.any([signal, AbortSignal.timeout(FLOW_MS)]),
        })
        if (played.session.cookies.length === 0 && played.token === '')
          return { kind: 'failed', text: 'Recorded login flow returned no cookies.', mayRetry: false }
        return {
          kind: 'logged in',
          session: played.session,
          headers: header !== '' && played.token !== '' ? { [header]: prefix + played.token } : {},
          landedOn: played.landedOn,
          loginUrl: recording.urls[0]?.href ?? null,
        }
      } catch (error) {
        return {
          kind: 'failed',
          text: `Could not fetch access token: ${sentenceOf(error)}.`,
          mayRetry: false,
        }
      }
    },
  }
}

/** Failures whose details tell people why a host is not asked. */
const SAYING = new Set(['TARGET_OUT_OF_SCOPE', 'TARGET_UNREACHABLE'])

/** Why a recorded login failed, as the rest of a sentence, without secrets. */
export function sentenceOf(error: unknown): string {
  if (error instanceof FlowError) return error.message
  if (error instanceof Failure && SAYING.has(error.code))
    return `${error.details['host']} cannot be reached: ${error.details['reason']}`
  if (error instanceof Failure)
    return error.code === 'FLOW_INVALID'
      ? `it is not a recording: ${error.details['reason']}`
      : `the browser failed (${error.code})`
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return error.name === 'TimeoutError' ? 'it took longer than 300 seconds' : 'it was stopped'
  throw error
}
