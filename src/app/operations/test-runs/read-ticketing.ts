import { Failure } from '../../../kit/index.ts'
import type { RunConfiguration } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'

type Given = Parameters<Handler<'startTest'>>[0]['autoTicketingDetails']

const SEVERITIES = new Set(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])

/**
 * Tickets to make from the findings of a run; given as an object, or as its JSON text.
 *
 * @throws Failure TICKET_PROJECT_REQUIRED, TICKET_SEVERITIES_EMPTY, TICKET_SEVERITIES_INVALID
 */
export function readTicketing(given: Given): RunConfiguration['ticketing'] {
  if (given === null || given === undefined || given === '') return null
  const details = typeof given === 'string' ? parsed(given) : given
  if (details?.shouldCreateTickets !== true) return null
  if (!details.projectId) throw new Failure('TICKET_PROJECT_REQUIRED', {})
  const severities = details.severities ?? []
  if (severities.length === 0) throw new Failure('TICKET_SEVERITIES_EMPTY', {})
  if (!severities.every((severity) => SEVERITIES.has(severity)))
    throw new Failure('TICKET_SEVERITIES_INVALID', {})
  return { ...details, severities: [...severities] }
}

function parsed(text: string): Exclude<Given, string> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch (error) {
    throw new Failure('INVALID_FIELD', { field: 'autoTicketingDetails' }, { cause: error })
  }
}
