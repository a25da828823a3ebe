import { MAX_MESSAGES, type UsualMessages } from '../../http/index.ts'
import { type DeadLetter, recordContent, type StreamRecord } from '../../traffic/index.ts'

/** Messages of a stream batch that go to the inventory in one call. */
export interface StreamPart {
  /** What the stream calls each message. */
  readonly deliveries: readonly string[]
  /** It is a record that names its collection. */
  readonly namesCollection: boolean
  /** A live batch, built anew because the inventory keeps what it is given. */
  bytes(): Uint8Array
  /** @param refused rejected messages by index, or why the whole part was refused */
  deadLetters(refused: readonly { index: number; reason: string }[] | string): DeadLetter[]
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** One message of the stream and the record it came with. */
interface Entry {
  readonly id: string
  /** JSON; `null` stands for a record that cannot be read, so that the inventory counts it as rejected. */
  readonly json: Uint8Array
  readonly value: Uint8Array
  readonly reason: string | null
}

const NOTHING = encoder.encode('null')
const MESSAGE = { kind: 'message' } as const

/**
 * Parts of a batch, in the order of the stream. Control records are passed over.
 *
 * @param usual tells the records that need not be built to know that they are messages
 */
export function* streamParts(records: readonly StreamRecord[], usual: UsualMessages): Generator<StreamPart> {
  const values = records.map(({ value }) => value)
  const list = joined(values)
  const isUsual = usual.among(values, list)
  if (records.length > 0 && records.length <= MAX_MESSAGES && !isUsual.includes(false)) {
    const all = records.map(({ id, value }): Entry => ({ id, json: value, value, reason: null }))
    return yield listPart(all, list)
  }
  let entries: Entry[] = []
  for (const [index, { id, value }] of records.entries()) {
    const content = isUsual[index] ? MESSAGE : recordContent(value)
    if (content.kind === 'control') continue
    const messages = content.kind === 'batch' ? content.messages : 1
    const isApart = content.kind === 'batch' && content.namesCollection
    if (entries.length > 0 && (isApart || entries.length + messages > MAX_MESSAGES)) {
      yield listPart(entries)
      entries = []
    }
    if (isApart) yield namedPart(id, value, messages)
    else if (content.kind === 'batch') entries.push(...entriesOf(id, value))
    else if (content.kind === 'message') entries.push({ id, json: value, value, reason: null })
    else entries.push({ id, json: NOTHING, value, reason: content.reason })
  }
  if (entries.length > 0) yield listPart(entries)
}

function messagesOf(value: Uint8Array): unknown[] {
  const parsed = JSON.parse(decoder.decode(value)) as unknown[] | { batchData: unknown[] }
  return Array.isArray(parsed) ? parsed : parsed.batchData
}

function entriesOf(id: string, value: Uint8Array): Entry[] {
  return messagesOf(value).map((message, index) => {
    const json = encoder.encode(JSON.stringify(message))
    return { id: `${id} ${index}`, json, value: json, reason: null }
  })
}

/** @param made what {@link joined} made of them, where it was asked for already */
function listPart(entries: readonly Entry[], made: Uint8Array | null = null): StreamPart {
  let first = made
  return {
    deliveries: entries.map(({ id }) => id),
    namesCollection: false,
    bytes() {
      const given = first ?? joined(entries.map(({ json }) => json))
      first = null
      return given
    },
    deadLetters(refused) {
      if (typeof refused === 'string') return entries.map(({ id, value }) => ({ id, value, reason: refused }))
      return refused.flatMap(({ index, reason }) => letterOf(entries[index]!, reason))
    },
  }
}

function namedPart(id: string, value: Uint8Array, messages: number): StreamPart {
  return {
    deliveries: Array.from({ length: messages }, (_, index) => `${id} ${index}`),
    namesCollection: true,
    bytes: () => new Uint8Array(value),
    deadLetters(refused) {
      if (typeof refused === 'string') return [{ id, value, reason: refused }]
      if (refused.length === 0) return []
      const entries = entriesOf(id, value)
      return refused.flatMap(({ index, reason }) => letterOf(entries[index]!, reason))
    },
  }
}

/** A response that is not complete will come again, whole: its first half is not worth a letter. */
function letterOf(entry: Entry, reason: string): DeadLetter[] {
  if (entry.reason === null) {
    const message = JSON.parse(decoder.decode(entry.json)) as { is_pending?: unknown } | null
    if (String(message?.is_pending) === 'true') return []
  }
  return [{ id: entry.id, value: entry.value, reason: entry.reason ?? reason }]
}

/** A JSON list of texts, when each of them is valid JSON. */
function joined(texts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(texts.reduce((sum, { byteLength }) => sum + byteLength + 1, 1))
  let at = 0
  for (const text of texts) {
    bytes[at] = at === 0 ? OPEN : COMMA
    at++
    bytes.set(text, at)
    at += text.byteLength
  }
  bytes[at] = CLOSE
  return bytes
}

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d
