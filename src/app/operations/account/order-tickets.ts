import { orderTickets } from '../../../alerts/announce.ts'
import { listTrackers, trackerOfProject } from '../../../alerts/index.ts'
import type { IssueView } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import { usingTransaction } from '../../../store/index.ts'
import type { Call } from '../../handler.ts'

/**
 * Orders tickets of issues; @returns how many were ordered now.
 *
 * @throws Failure TICKET_PROJECT_INVALID, TRACKER_MISSING
 */
export async function orderTicketsOf(
  { app, caller }: Call,
  issues: readonly IssueView[],
  { projId, issueType }: { readonly projId: string; readonly issueType: string },
): Promise<number> {
  const projectId = projId.trim()
  const tracker = trackerOfProject(projectId)
  const form = tracker.refuseProject(projectId)
  if (form !== null) throw new Failure('TICKET_PROJECT_INVALID', { form })
  const known = await listTrackers(app.store, app.sealer)
  if (!known.some(({ kind }) => kind === tracker.kind))
    throw new Failure('TRACKER_MISSING', { tracker: tracker.label })
  const order = { projectId, issueType: issueType.trim(), actor: caller.login }
  const ordered = await usingTransaction(app.store.pool, (client) =>
    orderTickets(
      client,
      order,
      issues.map(({ id }) => id),
    ),
  )
  app.notifier.wake()
  return ordered.length
}
