import { type Exchange, parseSampleMessage } from '../../../http/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { NewEvent } from '../../../threat/findings.ts'
import {
  canonicalAddress,
  eventId,
  eventTime,
  type PayloadParts,
  readPayloadText,
} from '../../../threat/index.ts'

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', ''] as const
const STATUSES = ['ACTIVE', 'UNDER_REVIEW', 'IGNORED', ''] as const
const LABELS = ['threat', 'guardrail', ''] as const
const TYPES = ['Rule-Based', 'Anomaly', ''] as const
const EVENT_TYPES = ['EVENT_TYPE_SINGLE', 'EVENT_TYPE_AGGREGATED', 'EVENT_TYPE_UNSPECIFIED', ''] as const

/** Fields of an event in the JSON form of protocol buffers, in either spelling of their names. */
class Fields {
  readonly #sent: Readonly<Record<string, unknown>>

  constructor(sent: Readonly<Record<string, unknown>>) {
    this.#sent = sent
  }

  /** '' when the field is absent or null. @throws Failure INVALID_FIELD */
  text(name: string): string {
    const value = this.#value(name)
    if (value === undefined || value === null) return ''
    if (typeof value !== 'string') throw invalid(name)
    return value
  }

  /** @throws Failure FIELD_REQUIRED, INVALID_FIELD */
  neededText(name: string): string {
    const text = this.text(name).trim()
    if (text === '') throw new Failure('FIELD_REQUIRED', { field: `maliciousEvent.${name}` })
    return text
  }

  /** A number, or one as text; `absent` when the field is absent. @throws Failure INVALID_FIELD */
  integer(name: string, absent: number | null): number {
    const value = this.#value(name)
    if (value === undefined || value === null) {
      if (absent === null) throw new Failure('FIELD_REQUIRED', { field: `maliciousEvent.${name}` })
      return absent
    }
    const number = typeof value === 'string' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isInteger(number) || Math.abs(number) > 0x7fffffff)
      throw invalid(name)
    return number
  }

  /** @throws Failure INVALID_FIELD */
  word<const Words extends readonly string[]>(name: string, words: Words): Words[number] {
    const text = this.text(name)
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase())
    if (found === undefined) throw invalid(name)
    return found
  }

  flag(name: string): boolean {
    return this.#value(name) === true
  }

  object(name: string): Fields {
    const value = this.#value(name)
    return new Fields(typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})
  }

  #value(name: string): unknown {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (Object.hasOwn(this.#sent, name)) return this.#sent[name]
    return Object.hasOwn(this.#sent, snake) ? this.#sent[snake] : undefined
  }
}

function invalid(name: string): Failure {
  return new Failure('INVALID_FIELD', { field: `maliciousEvent.${name}` })
}

/**
 * The event that another detector sent. The same event sent again has the same id.
 *
 * @throws Failure FIELD_REQUIRED, INVALID_FIELD, PAYLOAD_TEXT_INVALID
 */
export function readSentEvent(sent: Readonly<Record<string, unknown>>, now: number): NewEvent {
  const fields = new Fields(sent)
  const actor = fields.neededText('actor')
  const filterId = fields.neededText('filterId')
  const url = fields.neededText('latestApiEndpoint')
  const detectedAt = eventTime(fields.integer('detectedAt', null), now)
  if (detectedAt <= 0) throw invalid('detectedAt')
  const method = fields.text('latestApiMethod') || 'OTHER'
  const country = fields.object('metadata').text('countryCode')
  const text = fields.text('latestApiPayload')
  const exchange = text === '' ? null : exchangeOf(readPayloadText(text), detectedAt)
  const isAggregated = fields.word('eventType', EVENT_TYPES) === 'EVENT_TYPE_AGGREGATED'
  const read = {
    filterId,
    category: fields.text('category'),
    subCategory: fields.text('subCategory'),
    severity: fields.word('severity', SEVERITIES),
    type: fields.word('type', TYPES) || 'Rule-Based',
    eventType: isAggregated ? 'AGGREGATED' : 'SINGLE',
    label: fields.word('label', LABELS) || 'threat',
    status: fields.word('status', STATUSES) || 'ACTIVE',
    isSuccessfulExploit: fields.flag('successfulExploit'),
    actor,
    ip: canonicalAddress(fields.text('latestApiIp')) || canonicalAddress(actor),
    country: /^[A-Z]{2}$/.test(country) ? country : '',
    destCountry: '',
    collectionId: fields.integer('latestApiCollectionId', 0),
    host: fields.text('host'),
    method,
    url,
    detectedAt,
  } as const
  // Only of what is read: a detector may add what differs each time, such as the time it sent at.
  const id = eventId(
    JSON.stringify([{ ...read, detectedAt: fields.integer('detectedAt', null) }, text]),
    filterId,
    '',
  )
  return { ...read, id, refId: id, messages: exchange === null ? [] : [{ exchange, evidence: [] }] }
}

function exchangeOf(parts: PayloadParts, at: number): Exchange {
  const headers = (map: PayloadParts['requestHeaders']): string =>
    JSON.stringify(Object.fromEntries([...map].map(([name, values]) => [name, values.join(', ')])))
  const { requestHeaders, responseHeaders, ...rest } = parts
  return parseSampleMessage(
    JSON.stringify({
      ...rest,
      time: parts.time || at,
      isPending: undefined,
      requestHeaders: headers(requestHeaders),
      responseHeaders: headers(responseHeaders),
    }),
    { at },
  )
}
