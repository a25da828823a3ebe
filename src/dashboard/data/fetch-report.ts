import { session } from '../session/use-session.ts'

const askEveryMs = 700
const patienceMs = 120_000

/**
 * Waits for a report that the server makes in the background.
 *
 * @throws Error when the report failed or is not there in time
 */
export async function fetchReport(path: string): Promise<Blob> {
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    const answer = await session.fetch(path)
    if (answer.status === 200) return answer.blob()
    if (answer.status !== 202) throw new Error(`The report was not made (status ${answer.status})`)
    await answer.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
  throw new Error('The report takes longer than two minutes; try again with fewer issues')
}
