import { nowSeconds, type Sealer } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { Alert, AlertFacts, AlertThreat, NewIssues } from './alert.ts'
import { channelKind } from './channel-kinds.ts'
import { findChannel, type OpenChannel } from './channel-store.ts'
import type { AttemptEnd, ClaimedMessage, NewIssuesNote } from './outbox.ts'
import { type PostAnswer, type PostGround, post } from './post.ts'
import { afterFailure } from './retries.ts'
import { listTrackers } from './tracker-store.ts'
import { trackerOfProject } from './trackers/index.ts'
import type { MadeTicket, TicketDraft, TicketTracker } from './trackers/tracker.ts'

/** An issue as a ticket tells of it. */
export interface TicketIssue {
  readonly title: string
  readonly text: string
  readonly severity: string
}

/** What other rooms know, joined by the app. */
export interface IssuePorts {
  /** The issues of an alert, those that are gone left out. */
  readonly newIssues: (issueIds: readonly number[]) => Promise<Pick<NewIssues, 'counts' | 'issues'>>
  /** The malicious events of an alert, the worst first; those that are gone are left out. */
  readonly newThreats: (eventIds: readonly string[]) => Promise<readonly AlertThreat[]>
  /** An issue for its ticket; null when it is gone or has a ticket. */
  readonly ticketIssue: (issueId: number) => Promise<TicketIssue | null>
  /** Notes the ticket of an issue. */
  readonly noteTicket: (
    issueId: number,
    ticket: MadeTicket & { readonly source: string; readonly projectKey: string },
    actor: string | null,
  ) => Promise<void>
  /** The page of the dashboard about what is told. */
  readonly linkTo: (facts: AlertFacts) => string
}

/** What delivering needs. */
export interface DeliveryGround extends PostGround {
  readonly store: Store
  readonly sealer: Sealer
  readonly ports: IssuePorts
}

const GONE: AttemptEnd = { state: 'FAILED', trouble: 'What it tells of is gone.' }

/** Sends a message to its channel. */
export async function deliverAlert(
  ground: DeliveryGround,
  message: ClaimedMessage & { readonly kind: 'ALERT' },
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const channel = await findChannel(ground.store, ground.sealer, message.channelId)
  if (channel === undefined) return GONE
  const facts = await factsOf(ground, message.facts, message.issueIds)
  if (facts === null) return GONE
  const answer = await postAlert(ground, channel, message.messageId, facts, signal)
  if (isGood(answer)) return { state: 'DONE' }
  return afterFailure(answer, message.attempts, troubleOf(answer), nowSeconds())
}

async function factsOf(
  { ports }: DeliveryGround,
  facts: (ClaimedMessage & { readonly kind: 'ALERT' })['facts'],
  issueIds: readonly number[],
): Promise<AlertFacts | null> {
  if (facts.event === 'RUN_FINISHED' || facts.event === 'ACTOR_STATUS') return facts
  if (facts.event === 'NEW_THREATS') {
    const { eventIds, ...counted } = facts
    const threats = await ports.newThreats(eventIds)
    return threats.length === 0 ? null : { ...counted, threats }
  }
  const note: NewIssuesNote = facts
  const found = await ports.newIssues(issueIds)
  return found.issues.length === 0 ? null : { ...note, ...found }
}

/** Posts one message to a channel. */
export function postAlert(
  ground: DeliveryGround,
  channel: OpenChannel,
  id: string,
  facts: AlertFacts,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const alert: Alert = { id, at: nowSeconds(), facts, link: ground.ports.linkTo(facts) }
  const request = channelKind(channel.kind).compose(alert, channel)
  return post({ method: 'POST', url: channel.url, ...request }, ground, 'alert', signal)
}

/** Whether the receiver took it. */
export function isGood(answer: PostAnswer): boolean {
  return answer.status !== null && answer.status >= 200 && answer.status < 300
}

/** Why it was not taken, for people. */
export function troubleOf(answer: PostAnswer, complaint = ''): string {
  if (answer.status === null) return answer.trouble
  return `The receiver answered ${answer.status}${complaint === '' ? '' : `: ${complaint}`}.`
}

/** Makes the ticket of an issue, unless it has one. */
export async function deliverTicket(
  ground: DeliveryGround,
  message: ClaimedMessage & { readonly kind: 'TICKET' },
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { projectId, issueType, actor } = message.facts
  const tracker = trackerOfProject(projectId)
  const form = tracker.refuseProject(projectId)
  if (form !== null) return { state: 'FAILED', trouble: `The project is not ${form}.` }
  const access = (await listTrackers(ground.store, ground.sealer)).find(({ kind }) => kind === tracker.kind)
  if (access === undefined) return { state: 'FAILED', trouble: `${tracker.label} is not set up.` }
  const issue = await ground.ports.ticketIssue(message.issueId)
  if (issue === null) return { state: 'DONE' }
  const draft: TicketDraft = {
    id: message.messageId,
    projectId,
    issueType: issueType === '' ? tracker.defaultIssueType : issueType,
    orderedAt: message.createdAt,
    ...issue,
  }
  // An earlier attempt may have made it without our hearing of it.
  if (message.attempts > 1) {
    const answer = await post(tracker.find(access, draft), ground, 'ticket', signal)
    const found = isGood(answer) && answer.status !== null ? tracker.found(access, answer.body, draft) : null
    if (found !== null) return keep(ground, message, tracker, found, actor)
    if (!isGood(answer)) return refused(tracker, answer, message.attempts)
  }
  const answer = await post(tracker.create(access, draft), ground, 'ticket', signal)
  const made = isGood(answer) && answer.status !== null ? tracker.created(access, answer.body, draft) : null
  if (made !== null) return keep(ground, message, tracker, made, actor)
  return refused(tracker, answer, message.attempts)
}

async function keep(
  { ports }: DeliveryGround,
  { issueId, facts }: ClaimedMessage & { readonly kind: 'TICKET' },
  tracker: TicketTracker,
  made: MadeTicket,
  actor: string | null,
): Promise<AttemptEnd> {
  await ports.noteTicket(issueId, { ...made, source: tracker.kind, projectKey: facts.projectId }, actor)
  return { state: 'DONE' }
}

function refused(tracker: TicketTracker, answer: PostAnswer, attempts: number): AttemptEnd {
  if (isGood(answer)) return { state: 'FAILED', trouble: `${tracker.label} answered without a ticket.` }
  const complaint = answer.status === null ? '' : tracker.complaint(answer.body)
  return afterFailure(answer, attempts, troubleOf(answer, complaint), nowSeconds())
}
