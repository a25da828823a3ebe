import {
  type MadeTicket,
  readObject,
  readObjects,
  type TicketTracker,
  type TrackerAccess,
} from './tracker.ts'

const MAX_SUMMARY = 250
const MAX_DESCRIPTION = 30_000

/**
 * Jira, in the cloud (login and token) and on servers of one's own (personal access token): version 2 of its REST
 * interface, whose descriptions are plain text. Project ids are keys, `SEC`.
 */
export const jira: TicketTracker = {
  kind: 'JIRA',
  label: 'Jira',
  defaultIssueType: 'Task',
  refuseProject: (projectId) =>
    /^[A-Za-z][A-Za-z0-9_]{0,254}$/.test(projectId) ? null : 'the key of a project',
  create: (access, draft) => ({
    method: 'POST',
    url: `${access.baseUrl}/rest/api/2/issue`,
    headers: headersOf(access),
    body: JSON.stringify({
      fields: {
        project: { key: draft.projectId },
        issuetype: { name: draft.issueType },
        summary: draft.title.slice(0, MAX_SUMMARY),
        description: draft.text.slice(0, MAX_DESCRIPTION),
        labels: ['vigil', labelOf(draft.id)],
      },
    }),
  }),
  created: (access, body) => ticketOf(access, readObject(body)),
  find(access, draft) {
    const query = new URLSearchParams({
      jql: `project = "${draft.projectId}" AND labels = "${labelOf(draft.id)}"`,
      fields: 'key',
      maxResults: '1',
    })
    // The cloud has left the search of version 2 behind; servers know no other.
    const path = isCloud(access) ? '/rest/api/3/search/jql' : '/rest/api/2/search'
    return { method: 'GET', url: `${access.baseUrl}${path}?${query}`, headers: headersOf(access), body: null }
  },
  found(access, body) {
    const [issue] = readObjects(readObject(body)['issues'])
    return issue === undefined ? null : ticketOf(access, issue)
  },
  complaint(body) {
    const { errorMessages, errors } = readObject(body)
    const general = Array.isArray(errorMessages) ? errorMessages.map(String) : []
    const byField =
      typeof errors === 'object' && errors !== null
        ? Object.entries(errors).map(([field, text]) => `${field}: ${String(text)}`)
        : []
    return [...general, ...byField].join(' ')
  },
}

/** A label that one ticket has. */
function labelOf(id: string): string {
  return `vigil-${id}`
}

function isCloud({ baseUrl }: TrackerAccess): boolean {
  return /(?:^|\.)atlassian\.net$/i.test(new URL(baseUrl).hostname)
}

function headersOf({ login, token }: TrackerAccess): string[] {
  const credential =
    login === '' ? `Bearer ${token}` : `Basic ${Buffer.from(`${login}:${token}`).toString('base64')}`
  return [
    'authorization',
    credential,
    'accept',
    'application/json',
    'user-agent',
    'Vigil',
    'content-type',
    'application/json',
  ]
}

function ticketOf({ baseUrl }: TrackerAccess, issue: Readonly<Record<string, unknown>>): MadeTicket | null {
  const { key } = issue
  if (typeof key !== 'string' || !/^[A-Za-z][A-Za-z0-9_]*-\d+$/.test(key)) return null
  return { id: key, url: `${baseUrl}/browse/${key}` }
}
