import type { Template } from '../template/index.ts'
import type { QueuedPair } from './pair-queue.ts'
import type { EndpointKey } from './pair-result.ts'

/** Methods whose requests change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

const READS = 0
const CHANGES = 1
const SLOW = 2
/** Added to the phase of what signs in. */
const SIGN_INS = 3

/** Paths where people sign in. */
const SIGNS_IN =
  /(?:^|[/_.-])(?:log-?_?[io]n|sign-?_?[io]n|sessions?|auth(?:enticate|entication)?|tokens?)(?:$|[/_.?-])/i

/**
 * What a test does to its endpoint decides when it runs. Sending a recorded order once more is an order too: a test
 * that on its own only looks changes something where the endpoint does. Requests that sign in come after all others:
 * applications end the oldest session of a user who signs in too often, and that may be the one that tests act with.
 */
export function phaseOf(
  template: Template | undefined,
  { method, url }: Pick<EndpointKey, 'method' | 'url'>,
): Pick<QueuedPair, 'isIntrusive' | 'phase'> {
  const sendsNothing = template?.execute.type === 'passive'
  const isSafe = SAFE_METHODS.has(method)
  const looksOnly = template?.attributes.nature === 'NON_INTRUSIVE' && isSafe
  const isIntrusive = !sendsNothing && !looksOnly
  const isSlow = template?.attributes.duration === 'SLOW'
  const signsIn = !sendsNothing && !isSafe && SIGNS_IN.test(url)
  return { isIntrusive, phase: (signsIn ? SIGN_INS : 0) + (isSlow ? SLOW : isIntrusive ? CHANGES : READS) }
}

/** True for a {@link phaseOf} slow tests. */
export function isSlowPhase(phase: number): boolean {
  return phase % SIGN_INS === SLOW
}
