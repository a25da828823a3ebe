import { headerValue } from '../../http/index.ts'
import { asksSlowed, MessageView } from '../../rules/index.ts'
import { replaceLeaves } from '../attempts/body-edits.ts'
import { replaceNamedHeader } from '../attempts/header-edits.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { replaceQueryParameter } from '../attempts/query-edits.ts'
import { replaceSegment, setUrl, urlParts } from '../attempts/url-edits.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import { type Position, sentAt } from './positions.ts'
import type { SentRequest } from './tools.ts'

/** What everybody may send: it has no meaning in any language. */
const HARMLESS = 'vigil7'
/** An answer to a probe that takes longer, and this many times as long as that to the harmless text, may be slowed. */
const SLOWED_MS = 100
const SLOWER = 2
/** Characters of an answer that are compared. */
const MAX_COMPARED = 200_000
/** Times, counters, identifiers and other tokens differ from answer to answer. */
const VOLATILE = /\d{4}-\d\d-\d\d[T ][\d:.]+|[0-9a-f]{8,}|[A-Za-z0-9_-]{20,}|\d{5,}/gi

/**
 * Whether a position treats a payload otherwise than a harmless text, and so looks into it. The harmless text is sent
 * only where the answer to the payload differs from that to the original request, and once for all tests.
 *
 * @param answer to the request with the payload
 * @throws Failure a code of the sender
 */
export async function reacts(trial: Trial, position: Position, answer: MessageView): Promise<boolean> {
  const gist = gistOf(answer, sentAt(position, answer))
  if (gist === gistOf(trial.sample, sentAt(position, trial.sample))) return false
  const harmless = await answerTo(trial, position, HARMLESS)
  return harmless === null || gist !== gistOf(new MessageView(harmless.exchange), HARMLESS)
}

/**
 * Sends a text only to see whether a position reacts to it, and opens the position when it does: to a test of slow
 * answers, only a slow one counts.
 *
 * @returns the request for the record; null when the text cannot be put there
 * @throws Failure a code of the sender
 */
export async function probe(trial: Trial, position: Position, text: string): Promise<AttemptRecord | null> {
  const sent = await answerTo(trial, position, text)
  if (sent === null) return null
  const { validate } = trial.template
  position.isOpen =
    validate !== null && asksSlowed(validate)
      ? await maySlow(trial, position, sent)
      : await reacts(trial, position, new MessageView(sent.exchange))
  return { step: 'probe', ...sent, validates: false, reasons: null, percentageMatch: 0 }
}

async function maySlow(trial: Trial, position: Position, { responseTimeMs }: SentRequest): Promise<boolean> {
  if (responseTimeMs < SLOWED_MS) return false
  // Measured anew: the answer that tests share may be from a moment when the application was busy.
  const harmless = await answerTo(trial, position, HARMLESS, { mayShare: false })
  return harmless === null || responseTimeMs >= harmless.responseTimeMs * SLOWER
}

/**
 * Whether a segment of a path takes other values than the recorded one: a harmless text there is answered as the
 * recorded value is, or refused otherwise than an address that does not exist. Both are sent once for all tests.
 *
 * @throws Failure a code of the sender
 */
export async function takesValues(trial: Trial, position: Position): Promise<boolean> {
  const sent = await answerTo(trial, position, HARMLESS)
  if (sent === null) return false
  const answer = new MessageView(sent.exchange)
  if (answer.status < 400) return typeOf(answer) === typeOf(trial.sample)
  const before: Position = { ...position, name: String(Number(position.name) - 1) }
  const nowhere = await answerTo(trial, position, HARMLESS, { before })
  return nowhere !== null && refusalOf(answer) !== refusalOf(new MessageView(nowhere.exchange))
}

/** What an answer says, without the address that it repeats. */
function refusalOf(view: MessageView): string {
  return gistOf(view, urlParts(view.url).path)
}

/** The answer to the request with a text at a position, and at one `before`; in a query as it stands. Null when it cannot be put there. */
async function answerTo(
  trial: Trial,
  position: Position,
  text: string,
  { before, mayShare = true }: { before?: Position; mayShare?: boolean } = {},
): Promise<SentRequest | null> {
  const draft: RequestDraft = { ...trial.start, followRedirects: true }
  const places = before === undefined ? [position] : [position, before]
  if (!places.every((one) => place(draft, one, text))) return null
  const { template, endpoint, tools } = trial
  return tools.send(draft, { followRedirects: true, testId: template.id, endpoint, mayShare })
}

/** Puts a text at a position; false when the request does not have it. */
function place(draft: RequestDraft, { part, name }: Position, text: string): boolean {
  if (part === 'query') return replaceQueryParameter(draft, name, () => text)
  if (part === 'body') return replaceLeaves(draft, name, () => text)
  if (part === 'header') return replaceNamedHeader(draft, name, () => text)
  setUrl(draft, replaceSegment(draft.url, Number(name), text))
  return true
}

/** What an answer says, without what it repeats of the request and what differs from answer to answer. */
function gistOf(view: MessageView, sent: string): string {
  const body = view.responseBody.text.slice(0, MAX_COMPARED)
  return `${view.status} ${typeOf(view)} ${withoutValue(body, sent).replaceAll(VOLATILE, '#')}`
}

function typeOf({ exchange }: MessageView): string {
  return (headerValue(exchange.response.headers, 'content-type') ?? '').split(';')[0]!.trim()
}

/** Without a value as it was sent, as JSON, URLs and HTML write it. */
function withoutValue(text: string, value: string): string {
  if (value === '') return text
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  ]
  let left = text
  for (const form of new Set(forms)) left = left.replaceAll(form, '')
  return left
}
