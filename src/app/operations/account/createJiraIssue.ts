import type { Handler } from '../../handler.ts'
import { requireIssue } from '../issues/issue-selection.ts'
import { orderTicketsOf } from './order-tickets.ts'

/** Makes a ticket of an issue. */
export const createJiraIssue: Handler<'createJiraIssue'> = async (input, call) => {
  const issue = await requireIssue(call, input.issueId)
  const ordered = await orderTicketsOf(call, [issue], input)
  return { isOrdered: ordered > 0, ticketUrl: issue.ticketUrl }
}
