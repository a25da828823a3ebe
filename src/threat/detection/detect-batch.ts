import {
  type DataSource,
  type LiveExchange,
  type LiveMessages,
  type LiveReader,
  requestHeaderOf,
} from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { type ActorRules, findActor } from '../actors/find-actor.ts'
import type { Hit, ThreatMessage, Verdict } from '../evaluate/hit.ts'
import { valueMark } from '../windows/window-rule.ts'
import { FindingPacker } from './finding.ts'

/** Everything that looking at messages needs. */
export interface DetectionTools {
  readonly live: LiveReader
  readonly evaluate: (message: ThreatMessage) => Verdict
  readonly actors: ActorRules
  /** Value of the headers of our own tests and crawls; with any other value they are a caller's. */
  readonly ownMark: string
  /** The collection of a message that names none; 0 when unknown. */
  readonly collectionOf: (exchange: LiveExchange) => number
}

/** Messages of one call; see {@link detectBatch}. */
export type DetectionInput =
  | { readonly bytes: Uint8Array; readonly source: DataSource }
  | { readonly exchanges: readonly LiveExchange[]; readonly collectionId: number }

/** What came of one call. */
export interface DetectedBatch {
  /** Packed findings; null when there is nothing. */
  readonly findings: Uint8Array<ArrayBuffer> | null
  readonly messages: number
  /** Messages with findings. */
  readonly found: number
  /** Messages of which a part was beyond a limit. */
  readonly truncated: number
}

/** Hears which message is looked at; index -1 while the call is read. */
type Progress = (index: number) => void

/** Requests of our own tests and crawls carry one of these. */
const OWN_HEADERS = ['x-vigil-ignore', 'x-vigil-test']

const NOTHING: DetectedBatch = { findings: null, messages: 0, found: 0, truncated: 0 }

/**
 * Looks for threats in the messages of one call. What cannot be read is passed over: the inventory says what is wrong
 * with it. Our own tests and crawls are not threats, and a message that nobody sent cannot be charged to anybody.
 *
 * @param skipped indices to leave out: looking at them did not end
 */
export function detectBatch(
  input: DetectionInput,
  tools: DetectionTools,
  skipped: ReadonlySet<number>,
  onProgress: Progress,
): DetectedBatch {
  onProgress(-1)
  const batch = readInput(input, tools.live)
  if (batch === null) return NOTHING
  const packer = new FindingPacker()
  let found = 0
  let truncated = 0
  for (let index = 0; index < batch.count; index++) {
    if (skipped.has(index)) continue
    onProgress(index)
    const exchange = batch.exchangeAt(index)
    if (exchange === null || isOurs(exchange, tools.ownMark)) continue
    const verdict = look(exchange, batch.collectionId || tools.collectionOf(exchange), tools)
    if (verdict === null) continue
    if (verdict.isTruncated) truncated++
    if (verdict.hits.length === 0) continue
    found++
    const { actor, isSuccessfulExploit, isIgnored, isTruncated } = verdict
    packer.add(
      index,
      {
        actor,
        destCountry: exchange.serverIp === '' ? '' : tools.actors.countryOf(exchange.serverIp),
        isExploit: isSuccessfulExploit,
        isIgnored,
        isTruncated,
      },
      verdict.hits.map(({ filter, part, evidence, distinctValues }: Hit) => ({
        filter,
        part,
        evidence,
        values: distinctValues.map((value) => (value === null ? null : valueMark(value))),
      })),
    )
  }
  return { findings: packer.pack(), messages: batch.count, found, truncated }
}

function look(exchange: LiveExchange, collectionId: number, { evaluate, actors }: DetectionTools) {
  const actor = findActor(exchange, actors)
  if (actor === null) return null
  const verdict = evaluate({ exchange, actorAddress: actor.ip, country: actor.country, collectionId })
  return { ...verdict, actor }
}

interface ReadInput {
  readonly count: number
  /** 0 when unknown. */
  readonly collectionId: number
  /** Null for what is not a message. Asked for once each. */
  readonly exchangeAt: (index: number) => LiveExchange | null
}

function readInput(input: DetectionInput, live: LiveReader): ReadInput | null {
  if ('exchanges' in input) {
    const { exchanges, collectionId } = input
    return { count: exchanges.length, collectionId, exchangeAt: (index) => exchanges[index]! }
  }
  const batch = openBatch(input, live)
  if (batch === null) return null
  return {
    count: batch.count,
    collectionId: batch.collectionId ?? 0,
    exchangeAt(index) {
      const exchange = batch.exchangeAt(index)
      return typeof exchange === 'string' ? null : exchange
    },
  }
}

function openBatch(
  { bytes, source }: { bytes: Uint8Array; source: DataSource },
  live: LiveReader,
): LiveMessages | null {
  try {
    return live.open(bytes, source)
  } catch (error) {
    if (error instanceof Failure) return null // told to the sender by the inventory, which reads the same bytes
    throw error
  }
}

function isOurs(exchange: LiveExchange, mark: string): boolean {
  return exchange.source === 'CRAWLER' || OWN_HEADERS.some((name) => requestHeaderOf(exchange, name) === mark)
}
