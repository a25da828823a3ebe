import { Failure } from '../../kit/index.ts'
import type { CdpSession, EvaluateOptions } from './driver.ts'

/** Milliseconds for an expression that says nothing else. */
export const EVALUATE_MS = 10_000
const MAX_REASON = 500

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly unserializableValue?: string; readonly type: string }
  readonly exceptionDetails?: {
    readonly text: string
    readonly exception?: { readonly description?: string; readonly value?: unknown }
  }
}

/**
 * Value of an expression in a target, promises awaited, as JSON carries it.
 *
 * @param contextId world to evaluate in; the page's own unless given
 * @throws Failure BROWSER_SCRIPT_FAILED, BROWSER_PAGE_CHANGED, BROWSER_TIMED_OUT, BROWSER_GONE
 */
export async function evaluateIn(
  session: CdpSession,
  expression: string,
  { deadlineMs = EVALUATE_MS, userGesture = false }: EvaluateOptions,
  contextId?: number,
): Promise<unknown> {
  let evaluated: Evaluated
  try {
    evaluated = await session.send<Evaluated>(
      'Runtime.evaluate',
      {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture,
        ...(contextId === undefined ? {} : { contextId }),
      },
      deadlineMs,
    )
  } catch (error) {
    throw hasMoved(error)
      ? new Failure('BROWSER_PAGE_CHANGED', { call: 'Runtime.evaluate' }, { cause: error })
      : error
  }
  const { result, exceptionDetails } = evaluated
  if (exceptionDetails === undefined) return result.value
  const { exception, text } = exceptionDetails
  const reason = exception?.description ?? (exception?.value === undefined ? text : String(exception.value))
  throw new Failure('BROWSER_SCRIPT_FAILED', { reason: reason.slice(0, MAX_REASON) })
}

function hasMoved(error: unknown): boolean {
  return (
    error instanceof Failure &&
    error.code === 'BROWSER_REFUSED' &&
    /context was destroyed|Cannot find context|navigated or closed|Promise was collected/i.test(
      String(error.details['reason']),
    )
  )
}
