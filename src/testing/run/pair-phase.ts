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

/**
 * Phases of weaknesses whose proof may keep an application busy for everybody: after all others, and a text that grows
 * before one that is long at once, which a careless pattern never answers.
 */
const BUSY: ReadonlyMap<string, number> = new Map([
  ['CWE-1333', 2 * SIGN_INS + SLOW],
  ['CWE-770', 3 * SIGN_INS + SLOW],
])

/** Paths where people sign in. */
const SIGNS_IN =
  /(?:^|[/_.-])(?:log-?_?[io]n|sign-?_?[io]n|sessions?|auth(?:enticate|entication)?|tokens?)(?:$|[/_.?-])/i

/**
 * What a test does to its endpoint decides when it runs. Sending a recorded order once more is an order too: a test
 * that on its own only looks changes something where the endpoint does. Requests that sign in come after all others:
 * applications end the oldest session of a user who signs in too often, and that may be the one that tests act with.
 * What may keep an application busy comes last.
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
  const busy = isIntrusive ? template?.info.cwe.map((id) => BUSY.get(id) ?? 0) : undefined
  const last = Math.max(0, ...(busy ?? []))
  if (last > 0) return { isIntrusive, phase: last }
  return { isIntrusive, phase: (signsIn ? SIGN_INS : 0) + (isSlow ? SLOW : isIntrusive ? CHANGES : READS) }
}

/** True for a {@link phaseOf} slow tests. */
export function isSlowPhase(phase: number): boolean {
  return phase % SIGN_INS === SLOW
}
