import type { Variables } from '../../rules/index.ts'
import type { AttemptRecord } from './pair-result.ts'

/** What a later step can read of an earlier one: `x1.response.body`, `x1.response.stats.median_response_time` … */
export function provideStep(variables: Variables, step: string, attempts: readonly AttemptRecord[]): void {
  const last = attempts.at(-1)
  if (last === undefined) return
  const { response } = last.exchange
  variables.set(`${step}.response.body`, response.body)
  variables.set(`${step}.response.status_code`, String(response.status))
  variables.set(`${step}.response.response_time`, last.responseTimeMs)
  variables.set(`${step}.response.response_len`, response.body.length)
  provideStatistics(
    variables,
    step,
    'response_time',
    attempts.map((attempt) => attempt.responseTimeMs),
  )
  provideStatistics(
    variables,
    step,
    'response_len',
    attempts.map((attempt) => attempt.exchange.response.body.length),
  )
}

function provideStatistics(
  variables: Variables,
  step: string,
  name: string,
  values: readonly number[],
): void {
  const sorted = values.toSorted((a, b) => a - b)
  const set = (statistic: string, value: number): void =>
    variables.set(`${step}.response.stats.${statistic}_${name}`, value)
  set('min', sorted[0]!)
  set('max', sorted.at(-1)!)
  set('average', Math.trunc(sorted.reduce((sum, value) => sum + value, 0) / sorted.length))
  set('median', median(sorted))
}

/** Of an even count the mean of the middle two. */
function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
