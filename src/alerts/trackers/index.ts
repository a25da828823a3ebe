import { github } from './github.ts'
import { jira } from './jira.ts'
import type { TicketTracker } from './tracker.ts'

/** The tracker that a project id is of: those of GitHub have a slash, keys of Jira cannot. */
export function trackerOfProject(projectId: string): TicketTracker {
  return projectId.includes('/') ? github : jira
}
