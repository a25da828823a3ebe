import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import type { SendToTarget, SentRequest } from './tools.ts'

/** An answer that takes longer is slow, where the first ones of a series were this much faster. */
const SLOW_MS = 1_000
const SLOWER = 5
/** Attempts at the begin of a series that show how long answers usually take. */
const USUAL = 2
/** Each of a quick request and the slow one. */
const REPETITIONS = 2

/**
 * Whether an answer is slow, and slow again each time the request is repeated, while the first request of the series is
 * answered quickly before and between: something else may hold up a few in a row.
 *
 * @param earlier attempts of the same step; undefined for a control, whose answer is judged on its own
 * @throws Failure a code of the sender
 */
export async function isSlowed(
  { tools }: Trial,
  { draft, sent }: { readonly draft: RequestDraft; readonly sent: SentRequest },
  options: SendToTarget,
  earlier: readonly AttemptRecord[] | undefined,
): Promise<boolean> {
  if (earlier === undefined) return sent.responseTimeMs >= SLOW_MS
  if (earlier.length < USUAL) return false
  const usual = Math.max(...earlier.slice(0, USUAL).map(({ responseTimeMs }) => responseTimeMs))
  const isSlow = ({ responseTimeMs }: SentRequest): boolean =>
    responseTimeMs >= SLOW_MS && responseTimeMs >= usual * SLOWER
  if (!isSlow(sent)) return false
  const quick = draftOf(earlier[0]!.exchange)
  return alone(draft, async () => {
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      if (isSlow(await tools.send(quick, options))) return false
      if (!isSlow(await tools.send(draft, options))) return false
    }
    return true
  })
}

/** The last repetition at each origin. */
const repetitions = new Map<string, Promise<unknown>>()

/**
 * Repetitions at one origin wait for each other: an application that a slow request keeps busy answers all others late,
 * and tests of two endpoints would take the delay of the one for that of the other.
 */
export async function alone<T>({ url }: RequestDraft, work: () => Promise<T>): Promise<T> {
  const { origin } = new URL(url)
  const own = (repetitions.get(origin) ?? Promise.resolve()).then(work)
  const ended = own.then(
    () => {},
    () => {}, // who asked for it gets the error
  )
  repetitions.set(origin, ended)
  try {
    return await own
  } finally {
    if (repetitions.get(origin) === ended) repetitions.delete(origin)
  }
}
