import {
  type MadeTicket,
  readObject,
  readObjects,
  type TicketTracker,
  type TrackerAccess,
} from './tracker.ts'

/** Version of the interface that the requests are written for. */
const VERSION = '2022-11-28'
const MAX_TITLE = 250
const MAX_BODY = 60_000
const LABEL = 'vigil'

/** GitHub Issues over its REST interface; project ids are `owner/repository`, the type of a ticket is a label. */
export const github: TicketTracker = {
  kind: 'GITHUB',
  label: 'GitHub Issues',
  defaultIssueType: 'bug',
  refuseProject: (projectId) =>
    /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/.test(projectId) && !/\/\.{1,2}$/.test(projectId)
      ? null
      : 'owner/repository',
  create: (access, draft) => ({
    method: 'POST',
    url: `${access.baseUrl}/repos/${draft.projectId}/issues`,
    headers: headersOf(access),
    body: JSON.stringify({
      title: draft.title.slice(0, MAX_TITLE),
      body: `${draft.text.slice(0, MAX_BODY)}\n\n${marker(draft.id)}`,
      labels: [LABEL, draft.issueType, `severity: ${draft.severity.toLowerCase()}`],
    }),
  }),
  created: (_access, body) => ticketOf(readObject(body)),
  find: (access, draft) => {
    const since = new Date((draft.orderedAt - 60) * 1000).toISOString()
    const query = new URLSearchParams({ labels: LABEL, state: 'all', since, per_page: '100' })
    return {
      method: 'GET',
      url: `${access.baseUrl}/repos/${draft.projectId}/issues?${query}`,
      headers: headersOf(access),
      body: null,
    }
  },
  found(_access, body, draft) {
    const made = readObjects(parseList(body)).find((issue) =>
      String(issue['body'] ?? '').includes(marker(draft.id)),
    )
    return made === undefined ? null : ticketOf(made)
  },
  complaint(body) {
    const { message } = readObject(body)
    return typeof message === 'string' ? message : ''
  },
}

/** Invisible on the page; by it a ticket is found again. */
function marker(id: string): string {
  return `<!-- vigil:${id} -->`
}

function headersOf({ token }: TrackerAccess): string[] {
  return [
    'authorization',
    `Bearer ${token}`,
    'accept',
    'application/vnd.github+json',
    'x-github-api-version',
    VERSION,
    'user-agent',
    'Vigil',
    'content-type',
    'application/json',
  ]
}

function ticketOf(issue: Readonly<Record<string, unknown>>): MadeTicket | null {
  const { number, html_url: url } = issue
  if (!Number.isInteger(number) || typeof url !== 'string' || !/^https?:\/\//.test(url)) return null
  return { id: String(number), url }
}

function parseList(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return [] // an answer that is not JSON holds no ticket
  }
}
