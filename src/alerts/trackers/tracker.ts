/** Where tickets are made, and who makes them. */
export interface TrackerAccess {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** '' where the token alone signs in. */
  readonly login: string
  readonly token: string
}

/** A ticket to be made. */
export interface TicketDraft {
  /** Stays over all attempts; a ticket of an attempt whose answer was lost is found by it. */
  readonly id: string
  readonly projectId: string
  readonly issueType: string
  readonly title: string
  /** Plain text. */
  readonly text: string
  readonly severity: string
  /** When it was ordered, epoch seconds. */
  readonly orderedAt: number
}

/** A ticket that exists. */
export interface MadeTicket {
  readonly id: string
  readonly url: string
}

interface TrackerRequest {
  readonly method: 'POST' | 'GET'
  readonly url: string
  readonly headers: readonly string[]
  readonly body: string | null
}

/** One kind of tracker; each has a separate file. */
export interface TicketTracker {
  readonly kind: 'GITHUB' | 'JIRA'
  readonly label: string
  /** What tickets are when nobody said. */
  readonly defaultIssueType: string
  /** The form of its project ids, as a sentence; null when this one has it. */
  refuseProject(projectId: string): string | null
  create(access: TrackerAccess, draft: TicketDraft): TrackerRequest
  /** The ticket in the answer to {@link create}; null when it holds none. */
  created(access: TrackerAccess, body: string, draft: TicketDraft): MadeTicket | null
  /** Looks for the ticket of an earlier attempt. */
  find(access: TrackerAccess, draft: TicketDraft): TrackerRequest
  found(access: TrackerAccess, body: string, draft: TicketDraft): MadeTicket | null
  /** What an error answer says. */
  complaint(body: string): string
}

/** A JSON object, or an empty one when the text is none. */
export function readObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {} // an answer that is not JSON says nothing
  }
}

/** The objects of a list. */
export function readObjects(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value)
    ? value.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
    : []
}
