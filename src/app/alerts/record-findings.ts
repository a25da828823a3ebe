import { announceIssues, orderTickets } from '../../alerts/announce.ts'
import { type IssueEffect, recordOutcomes, type TestOutcome } from '../../issues/index.ts'
import type { StoreClient, TicketingRow } from '../../store/index.ts'

interface RunRow {
  id: string
  name: string
  triggeredBy: string | null
  ticketing: TicketingRow | null
}

/**
 * Brings issues up to date with what tests found, as {@link recordOutcomes} does, and in the same transaction writes
 * what follows: alerts about new issues, and tickets that the run is to make.
 */
export async function recordFindings(
  client: StoreClient,
  outcomes: readonly TestOutcome[],
  keepsOpen: boolean,
): Promise<IssueEffect[]> {
  const effects = await recordOutcomes(client, outcomes, keepsOpen)
  const open = effects.filter(({ status }) => status === 'OPEN')
  const summaryId = outcomes[0]?.summaryId
  if (open.length === 0 || summaryId == null) return effects
  const { rows } = await client.query<RunRow>(
    `SELECT r.id, r.name, r.triggered_by AS "triggeredBy", k.ticketing FROM run_summaries s
     JOIN test_runs r ON r.id = s.run_id JOIN run_configurations k ON k.id = r.config_id WHERE s.id = $1`,
    [summaryId],
  )
  const [run] = rows
  if (run === undefined || run.triggeredBy === 'test_editor') return effects
  const fresh = open.filter(({ change }) => change === 'CREATED' || change === 'REOPENED')
  await announceIssues(client, { ...run, summaryId }, fresh)
  await orderFor(client, run.ticketing, foundAmong(open, outcomes))
  return effects
}

/** Issues that were found now: an OPEN issue may also have been passed by a test that keeps it open. */
function foundAmong(effects: readonly IssueEffect[], outcomes: readonly TestOutcome[]): IssueEffect[] {
  const found = new Set(outcomes.flatMap((one) => (one.verdict === 'VULNERABLE' ? [one.resultId] : [])))
  return effects.filter(({ resultId }) => found.has(resultId))
}

async function orderFor(
  client: StoreClient,
  ticketing: TicketingRow | null,
  found: readonly IssueEffect[],
): Promise<void> {
  if (!ticketing?.shouldCreateTickets || !ticketing.projectId) return
  const wanted = new Set(ticketing.severities ?? [])
  await orderTickets(
    client,
    { projectId: ticketing.projectId, issueType: ticketing.issueType ?? '', actor: null },
    found.filter(({ severity }) => wanted.has(severity)).map(({ issueId }) => issueId),
  )
}
