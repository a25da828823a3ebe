import { collectionOf, type Installation } from '../../use-vigil.ts'
import type { Sent } from './load.ts'
import { runProblem } from './test-run.ts'

const PAGE = 500
const EVENTS_PAGE = 1000
export const PROBE_FILTER = `id: SchedulesProbe
filter:
  url: {contains_either: ["union select"]}
info: {category: {name: PROBES}, severity: HIGH}
`

/** What must hold of a schedule once the installation is quiet. */
export interface Expectation {
  readonly sent: Sent
  readonly run: { readonly summaryId: string; readonly checks: number }
  /** Times of its messages. */
  readonly from: number
  readonly to: number
}

/** What does not hold yet; nothing when all is well. Counts of a killed process are added within half a minute. */
export async function findProblems(vigil: Installation, expected: Expectation): Promise<string[]> {
  const { sent, run } = expected
  const problems = [
    await callsProblem(vigil, sent.httpHost, sent.http, 'over HTTP'),
    sent.stream === 0 ? null : await callsProblem(vigil, sent.streamHost, sent.stream, 'by the stream'),
    await eventsProblem(vigil, expected),
    await runProblem(vigil, run.summaryId, run.checks),
  ]
  return problems.filter((problem) => problem !== null)
}

async function callsProblem(
  vigil: Installation,
  host: string,
  acknowledged: number,
  way: string,
): Promise<string | null> {
  const apiCollectionId = await collectionOf(vigil, host)
  const { endpoints } = (await vigil.call('searchEndpoints', { apiCollectionId, limit: PAGE })) as {
    endpoints: { callCount: number }[]
  }
  const counted = endpoints.reduce((sum, { callCount }) => sum + callCount, 0)
  return counted === acknowledged ? null : `${acknowledged} messages acknowledged ${way}, ${counted} counted`
}

async function eventsProblem(vigil: Installation, { sent, from, to }: Expectation): Promise<string | null> {
  const urls: string[] = []
  for (;;) {
    const { maliciousEvents } = (await vigil.call('fetchSuspectSampleData', {
      latestAttack: ['SchedulesProbe'],
      startTimestamp: from,
      endTimestamp: to,
      skip: urls.length,
      limit: EVENTS_PAGE,
    })) as { maliciousEvents: { url: string }[] }
    urls.push(...maliciousEvents.map(({ url }) => url))
    if (maliciousEvents.length < EVENTS_PAGE) break
  }
  const there = new Set(urls)
  const missing = [...sent.attacks].filter((url) => !there.has(url)).length
  if (missing > 0) return `${missing} of ${sent.attacks.size} acknowledged attacks are no event`
  if (there.size < urls.length) return `${urls.length - there.size} of ${there.size} attacks are events twice`
  return there.size === sent.attacks.size ? null : `${there.size} events of ${sent.attacks.size} attacks`
}
