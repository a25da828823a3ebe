import { type Exchange, headerValue, requestPathOf } from '../../http/index.ts'
import type { EpochSeconds } from '../../kit/index.ts'
import type { StoreClient } from '../../store/index.ts'
import type { Evidence } from '../evaluate/hit.ts'
import type { AggregationRule } from '../filters/filter.ts'
import { eventTime } from '../records/event-time.ts'
import { keepMessages, type WaitingMessage } from '../records/messages.ts'
import { type EventMessage, eventId, type NewEvent } from '../records/new-event.ts'
import { noteAttacks } from '../records/note-attacks.ts'
import { storeEvents } from '../records/store-events.ts'
import { findSuppressions, hasSuppressions, noteDropped } from '../records/suppressions.ts'
import { countWindows, type FiredWindow, type WindowTouch } from '../windows/count-windows.ts'
import type { WindowRoom } from '../windows/window-room.ts'
import type { Finding, FoundFilter, FoundHit } from './finding.ts'

/** A message in which something was found, as the inventory is about to keep it. */
export interface DetectedMessage {
  readonly finding: Finding
  /** By which redeliveries of the message are recognised. */
  readonly hash: string
  readonly at: EpochSeconds
  /** The message as it was sent; until the transaction ends. */
  readonly exchange: () => Exchange
  readonly method: string
  /** The message as its collection lets it be kept. */
  readonly masked: () => Exchange
  /** Its address as lists show it: sensitive values are masked. */
  readonly shownUrl: () => string
  readonly collectionId: number
  /** No value of its collection may be kept. */
  readonly isRedacted: boolean
  /** URL of its endpoint with names for parameters; null when it has none. */
  readonly template: string | null
}

/** A hit of a filter with rules: the parts of the filter that matched one message. */
interface CountedHit {
  readonly message: DetectedMessage
  readonly filter: FoundFilter
  readonly hits: readonly FoundHit[]
}

const MASKED_PHRASE = '****'

/** What a transaction stored. */
interface WrittenFindings {
  /** Those that were new. */
  readonly stored: readonly NewEvent[]
  /** Matches whose window was over. */
  readonly late: number
}

/**
 * Stores what detection found in the messages of a transaction: an event for each hit of a filter without rules, a
 * count for each of one with rules, and an event where a rule fires. Messages are taken in the order given; the time of
 * one that is dated ahead of the clock is `now`.
 */
export async function writeFindings(
  client: StoreClient,
  messages: readonly DetectedMessage[],
  room: WindowRoom,
  now: number,
): Promise<WrittenFindings> {
  const events: NewEvent[] = []
  const messageOf = new Map<string, DetectedMessage>()
  const add = (event: NewEvent, message: DetectedMessage): void => {
    events.push(event)
    messageOf.set(event.id, message)
  }
  const counted: CountedHit[] = []
  for (const sent of messages) {
    const message = dated(sent, now)
    const byFilter = Map.groupBy(message.finding.hits, ({ filter }) => filter)
    for (const [filter, hits] of byFilter) {
      if (filter.rules.length > 0) counted.push({ message, filter, hits })
      else add(singleEvent(message, filter, hits), message)
    }
  }
  const touches = touchesOf(await unsuppressed(client, counted, now))
  const windows = touches.length === 0 ? null : await countWindows(client, touches, room, now)
  if (windows !== null) {
    await keepMessages(
      client,
      windows.references.map(({ refId, touch }) => ({ ...waitingMessage(refId, touch.message), refId })),
    )
    for (const window of windows.fired) add(aggregatedEvent(window), window.touch.message.message)
  }
  const { stored } = await storeEvents(client, events, now)
  await noteAttacks(
    client,
    stored.flatMap((event) => {
      const url = messageOf.get(event.id)?.template ?? null
      return url === null ? [] : [{ ...event, url }]
    }),
  )
  return { stored, late: windows?.late ?? 0 }
}

/** A message at the time that is believed of it. */
function dated(message: DetectedMessage, now: number): DetectedMessage {
  const at = eventTime(message.at, now)
  if (at === message.at) return message
  const { finding, hash, method, collectionId, isRedacted, template } = message
  return {
    ...{ finding, hash, at, method, collectionId, isRedacted, template },
    exchange: () => ({ ...message.exchange(), at }),
    masked: () => ({ ...message.masked(), at }),
    shownUrl: () => message.shownUrl(),
  }
}

/** What a suppression is for is not counted either. */
async function unsuppressed(
  client: StoreClient,
  counted: readonly CountedHit[],
  now: number,
): Promise<readonly CountedHit[]> {
  if (counted.length === 0) return counted
  // Counted hits are many: a rule that counts objects read meets every second message.
  if (!(await hasSuppressions(client, new Set(counted.map(({ filter }) => filter.id)), now))) return counted
  const rules = await findSuppressions(
    client,
    counted.map(({ message, filter }) => ({
      filterId: filter.id,
      url: message.shownUrl(),
      host: hostOf(message.exchange()),
      actor: message.finding.actor.id,
      collectionId: message.collectionId,
    })),
    now,
  )
  await noteDropped(
    client,
    rules.filter((id) => id !== null),
    now,
  )
  return counted.filter((_, i) => rules[i] === null)
}

function touchesOf(counted: readonly CountedHit[]): WindowTouch<CountedHit>[] {
  return counted.flatMap((hit) => hit.filter.rules.map((rule, i) => touchOf(hit, rule, i)))
}

function touchOf(hit: CountedHit, rule: AggregationRule, index: number): WindowTouch<CountedHit> {
  const { message, filter, hits } = hit
  const has = (part: string | null): boolean => part === null || hits.some((one) => one.part === part)
  return {
    filterId: filter.id,
    rule,
    actor: rule.scope === 'endpoint' ? '' : message.finding.actor.id,
    endpoint: rule.scope === 'actor' ? '' : endpointOf(message),
    at: message.at,
    counts: has(rule.countedPart),
    mayFire: has(rule.firingPart ?? rule.countedPart),
    value: hits.find(({ values }) => values[index] != null)?.values[index] ?? null,
    message: hit,
  }
}

/** What a person calls one endpoint; where the inventory knows none, the path as sent. */
function endpointOf({ exchange, method, collectionId, template }: DetectedMessage): string {
  return `${method} ${collectionId} ${template ?? requestPathOf(exchange())}`
}

function waitingMessage(refId: string, { message, hits }: CountedHit): WaitingMessage {
  const { actor, destCountry } = message.finding
  return {
    id: eventId(message.hash, refId, 'message'),
    collectionId: message.collectionId,
    country: actor.country,
    destCountry,
    ...eventMessage(message, hits),
  }
}

function singleEvent(message: DetectedMessage, filter: FoundFilter, hits: readonly FoundHit[]): NewEvent {
  const id = eventId(message.hash, filter.id, '')
  return { ...eventFacts(message, filter, hits), id, refId: id, eventType: 'SINGLE' }
}

function aggregatedEvent({ touch, refId, firing }: FiredWindow<CountedHit>): NewEvent {
  const { message, filter, hits } = touch.message
  // A message fires a rule once; the time tells apart firings on messages that were taken for one.
  const id = eventId(message.hash, filter.id, `${touch.rule.name} ${touch.at}`)
  const facts = eventFacts(message, filter, hits)
  const messages = facts.messages.map((one) => ({ ...one, firing: { rule: touch.rule.name, ...firing } }))
  return { ...facts, messages, id, refId, eventType: 'AGGREGATED' }
}

function eventFacts(message: DetectedMessage, filter: FoundFilter, hits: readonly FoundHit[]) {
  const { finding, method, collectionId } = message
  const kept = eventMessage(message, hits)
  return {
    filterId: filter.id,
    category: filter.category,
    subCategory: filter.subCategory,
    severity: filter.severity,
    type: 'Rule-Based' as const,
    label: 'threat' as const,
    status: finding.isIgnored ? ('IGNORED' as const) : ('ACTIVE' as const),
    isSuccessfulExploit: finding.isExploit,
    actor: finding.actor.id,
    ip: finding.actor.ip,
    country: finding.actor.country,
    destCountry: finding.destCountry,
    collectionId,
    host: hostOf(message.exchange()),
    method,
    url: message.shownUrl(),
    detectedAt: message.at,
    messages: [kept],
  }
}

/** The message as it may be kept. Where anything of it was masked, phrases stay only if the masked text has them. */
function eventMessage(message: DetectedMessage, hits: readonly FoundHit[]): EventMessage {
  const exchange = message.masked()
  const evidence = hits.flatMap((hit) => hit.evidence)
  const { isTruncated } = message.finding
  const texts = textsOf(exchange)
  const sent = textsOf(message.exchange())
  const isUnmasked = texts.length === sent.length && texts.every((text, i) => text === sent[i])
  if (isUnmasked && !message.isRedacted) return { exchange, evidence, isTruncated }
  const stays = ({ phrase }: Evidence): boolean =>
    !message.isRedacted && texts.some((text) => text.includes(phrase))
  return {
    exchange,
    isTruncated,
    evidence: evidence.map((one) => (stays(one) ? one : { ...one, phrase: MASKED_PHRASE })),
  }
}

function textsOf({ request, response }: Exchange): readonly string[] {
  return [request.target, request.body, response.body, ...request.headers, ...response.headers]
}

function hostOf({ request }: Exchange): string {
  const { target, headers } = request
  if (!target.startsWith('/') && URL.canParse(target)) return new URL(target).host
  return headerValue(headers, 'host') ?? headerValue(headers, ':authority') ?? ''
}
