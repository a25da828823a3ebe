import type { AttemptEnd } from './outbox.ts'
import type { PostAnswer } from './post.ts'

/** Seconds before each further attempt: about twelve hours over all, then a message is given up. */
const PAUSES = [10, 30, 120, 600, 1_800, 3_600, 3 * 3_600, 6 * 3_600] as const
/** Part of a pause by which it varies, so that messages that failed together do not come back together. */
const SPREAD = 0.2
/** Statuses below 500 after which trying again can help: too early, too slow, too many (RFC 9110, RFC 6585). */
const PASSING = new Set([408, 425, 429])

/**
 * What follows an attempt that did not succeed. Refusals that a repetition would not change end the message; all else
 * is tried again after growing pauses, or when the receiver asks for it.
 *
 * @param attempts attempts so far, this one included
 * @param problem what to tell people
 */
export function afterFailure(answer: PostAnswer, attempts: number, problem: string, now: number): AttemptEnd {
  const isFinal =
    answer.status === null
      ? answer.isFinal
      : answer.status < 500 && !isLimited(answer) && !PASSING.has(answer.status)
  const pause = PAUSES[attempts - 1]
  if (isFinal || pause === undefined) return { state: 'FAILED', problem }
  const asked = answer.status === null ? null : answer.retryAfter
  const varied = Math.round(pause * (1 + SPREAD * Math.random()))
  return { state: 'WAITING', nextAt: now + Math.max(asked ?? 0, varied), problem }
}

/** Trackers also answer 403 when there were too many requests, and say so by Retry-After. */
function isLimited(answer: Extract<PostAnswer, { status: number }>): boolean {
  return answer.status === 403 && answer.retryAfter !== null
}
