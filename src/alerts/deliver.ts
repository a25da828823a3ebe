import { Failure, nowSeconds, type Sealer } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { Alert, AlertFacts, NewIssues, NewThreats } from './alert.ts'
import type { ChannelRequest } from './channel.ts'
import { channelKind } from './channel-kinds.ts'
import { findChannel, type OpenChannel } from './channel-store.ts'
import { MAILTO } from './channels/mail.ts'
import type { Mailer } from './mailer.ts'
import type { AttemptEnd, ClaimedMessage, NewIssuesNote } from './outbox.ts'
import { type PostAnswer, type PostDeps, post } from './post.ts'
import { afterFailure } from './retries.ts'
import { listTrackers } from './tracker-store.ts'
import { trackerOfProject } from './trackers/index.ts'
import type { MadeTicket, TicketDraft, TicketTracker } from './trackers/tracker.ts'

/** Status of a mail server that took a message (RFC 5321 section 4.2.3). */
const MAIL_TAKEN = 250

/** An issue as a ticket tells of it. */
export interface TicketIssue {
  readonly title: string
  readonly text: string
  readonly severity: string
}

/** What other modules know, provided by the app. */
export interface IssuePorts {
  /** Whether a run aims at nothing but these collections; null = all. */
  readonly isRunVisible: (runId: string, visible: readonly number[] | null) => Promise<boolean>
  /** The issues of an alert, those that are gone, or of other collections, left out. */
  readonly newIssues: (
    issueIds: readonly number[],
    visible: readonly number[] | null,
  ) => Promise<Pick<NewIssues, 'counts' | 'issues'>>
  /** The worst malicious events of an alert, and how many there are; those that are gone, or of other collections, left out. */
  readonly newThreats: (
    eventIds: readonly string[],
    visible: readonly number[] | null,
  ) => Promise<Pick<NewThreats, 'counts' | 'threats'>>
  /** An issue for its ticket; null when it is gone or has a ticket. */
  readonly ticketIssue: (issueId: number) => Promise<TicketIssue | null>
  /** Notes the ticket of an issue. */
  readonly noteTicket: (
    issueId: number,
    ticket: MadeTicket & { readonly source: string; readonly projectKey: string },
    actor: string | null,
  ) => Promise<void>
  /** The page of the dashboard about it. */
  readonly linkTo: (facts: AlertFacts) => string
}

/** What delivering needs. */
interface DeliveryDeps extends PostDeps {
  readonly store: Store
  readonly sealer: Sealer
  readonly ports: IssuePorts
  /** Sends the messages of channels of mail; null where the settings name no mail server. */
  readonly mailer: Pick<Mailer, 'send'> | null
}

const GONE: AttemptEnd = {
  state: 'FAILED',
  problem: 'What it tells of is gone, or the owner of the channel may not see it any more.',
}

/** Sends a message to its channel. */
export async function deliverAlert(
  deps: DeliveryDeps,
  message: ClaimedMessage & { readonly kind: 'ALERT' },
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const channel = await findChannel(deps.store, deps.sealer, message.channelId)
  if (channel === undefined) return GONE
  const facts = await factsOf(deps, message, channel.visible)
  if (facts === null) return GONE
  const answer = await postAlert(deps, channel, message.messageId, facts, signal)
  if (isGood(answer)) return { state: 'DONE' }
  return afterFailure(answer, message.attempts, problemOf(answer), nowSeconds())
}

/** What the message says to the owner of its channel as they may see it now; null when nothing is left. */
async function factsOf(
  { ports }: DeliveryDeps,
  { facts, issueIds }: ClaimedMessage & { readonly kind: 'ALERT' },
  visible: readonly number[] | null,
): Promise<AlertFacts | null> {
  if (facts.event === 'RUN_FINISHED') return (await ports.isRunVisible(facts.runId, visible)) ? facts : null
  if (facts.event === 'ACTOR_STATUS') return visible === null ? facts : null
  if (facts.event === 'NEW_THREATS') {
    const { eventIds, ...counted } = facts
    const { counts, threats } = await ports.newThreats(eventIds, visible)
    if (threats.length === 0) return null
    // The note counts events beyond those that it remembers; what the owner may not see any more must not count.
    return { ...counted, ...(visible === null ? {} : { counts }), threats }
  }
  const note: NewIssuesNote = facts
  const found = await ports.newIssues(issueIds, visible)
  return found.issues.length === 0 ? null : { ...note, ...found }
}

/** Posts one message to a channel. */
export function postAlert(
  deps: DeliveryDeps,
  channel: OpenChannel,
  id: string,
  facts: AlertFacts,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const alert: Alert = { id, at: nowSeconds(), facts, link: deps.ports.linkTo(facts) }
  const request = channelKind(channel.kind).compose(alert, channel)
  if (channel.kind === 'MAIL') return sendMail(deps, channel.url.slice(MAILTO.length), request)
  return post({ method: 'POST', url: channel.url, ...request }, deps, 'alert', signal)
}

async function sendMail(
  { mailer }: DeliveryDeps,
  to: string,
  { headers, body }: ChannelRequest,
): Promise<PostAnswer> {
  if (mailer === null) return { status: null, problem: 'VIGIL_SMTP_URL names no mail server.', isFinal: true }
  const [, subject = '', , id = ''] = headers
  try {
    await mailer.send({ to, subject, text: body, id })
    return { status: MAIL_TAKEN, body: '', retryAfter: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = String(error.details['reason'])
    // A permanent refusal (RFC 5321 section 4.2.1); anything else may pass.
    return {
      status: null,
      problem: `The mail server did not take it: ${reason}`,
      isFinal: /^5\d\d\b/.test(reason),
    }
  }
}

/** Whether the receiver took it. */
export function isGood(answer: PostAnswer): boolean {
  return answer.status !== null && answer.status >= 200 && answer.status < 300
}

/** Why it was not taken, for people. */
export function problemOf(answer: PostAnswer, complaint = ''): string {
  if (answer.status === null) return answer.problem
  return `The receiver answered ${answer.status}${complaint === '' ? '' : `: ${complaint}`}.`
}

/** Makes the ticket of an issue, unless it has one. */
export async function deliverTicket(
  deps: DeliveryDeps,
  message: ClaimedMessage & { readonly kind: 'TICKET' },
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { projectId, issueType, actor } = message.facts
  const tracker = trackerOfProject(projectId)
  const form = tracker.refuseProject(projectId)
  if (form !== null) return { state: 'FAILED', problem: `The project is not ${form}.` }
  const access = (await listTrackers(deps.store, deps.sealer)).find(({ kind }) => kind === tracker.kind)
  if (access === undefined) return { state: 'FAILED', problem: `${tracker.label} is not set up.` }
  const issue = await deps.ports.ticketIssue(message.issueId)
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
    const answer = await post(tracker.find(access, draft), deps, 'ticket', signal)
    const found = isGood(answer) && answer.status !== null ? tracker.found(access, answer.body, draft) : null
    if (found !== null) return keep(deps, message, tracker, found, actor)
    if (!isGood(answer)) return refused(tracker, answer, message.attempts)
  }
  const answer = await post(tracker.create(access, draft), deps, 'ticket', signal)
  const made = isGood(answer) && answer.status !== null ? tracker.created(access, answer.body, draft) : null
  if (made !== null) return keep(deps, message, tracker, made, actor)
  return refused(tracker, answer, message.attempts)
}

async function keep(
  { ports }: DeliveryDeps,
  { issueId, facts }: ClaimedMessage & { readonly kind: 'TICKET' },
  tracker: TicketTracker,
  made: MadeTicket,
  actor: string | null,
): Promise<AttemptEnd> {
  await ports.noteTicket(issueId, { ...made, source: tracker.kind, projectKey: facts.projectId }, actor)
  return { state: 'DONE' }
}

function refused(tracker: TicketTracker, answer: PostAnswer, attempts: number): AttemptEnd {
  if (isGood(answer)) return { state: 'FAILED', problem: `${tracker.label} answered without a ticket.` }
  const complaint = answer.status === null ? '' : tracker.complaint(answer.body)
  return afterFailure(answer, attempts, problemOf(answer, complaint), nowSeconds())
}
