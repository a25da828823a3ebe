import { listTrackers, trackerOfProject } from '../../../alerts/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { RunConfiguration } from '../../../testing/index.ts'
import type { Call, Handler } from '../../handler.ts'

type Given = Parameters<Handler<'startTest'>>[0]['autoTicketingDetails']

const SEVERITIES = new Set(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])

/**
 * Tickets to make from the findings of a run; given as an object, or as its JSON text.
 *
 * @throws Failure TICKET_PROJECT_REQUIRED, TICKET_PROJECT_INVALID, TRACKER_MISSING, TICKET_SEVERITIES_EMPTY,
 * TICKET_SEVERITIES_INVALID
 */
export async function readTicketing(given: Given, { app }: Call): Promise<RunConfiguration['ticketing']> {
  if (given === null || given === undefined || given === '') return null
  const details = typeof given === 'string' ? parsed(given) : given
  if (details?.shouldCreateTickets !== true) return null
  const projectId = details.projectId?.trim()
  if (!projectId) throw new Failure('TICKET_PROJECT_REQUIRED', {})
  const severities = details.severities ?? []
  if (severities.length === 0) throw new Failure('TICKET_SEVERITIES_EMPTY', {})
  if (!severities.every((severity) => SEVERITIES.has(severity)))
    throw new Failure('TICKET_SEVERITIES_INVALID', {})
  const tracker = trackerOfProject(projectId)
  const form = tracker.refuseProject(projectId)
  if (form !== null) throw new Failure('TICKET_PROJECT_INVALID', { form })
  const known = await listTrackers(app.store, app.sealer)
  if (!known.some(({ kind }) => kind === tracker.kind))
    throw new Failure('TRACKER_MISSING', { tracker: tracker.label })
  return { ...details, projectId, severities: [...severities] }
}

function parsed(text: string): Exclude<Given, string> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch (error) {
    throw new Failure('INVALID_FIELD', { field: 'autoTicketingDetails' }, { cause: error })
  }
}
