import { EventEmitter, once } from 'node:events'
import type { Consumer, Message, MessagesStream, Producer } from '@platformatic/kafka'
import {
  DEAD_LETTERS,
  type DeadLetter,
  MAX_BATCH_BYTES,
  REASON_HEADER,
  RECORD_HEADER,
  type StreamBatch,
  type StreamConsumer,
  type StreamPlace,
  type StreamRecord,
  tlsOptions,
} from './port.ts'
import { WaitingRecords } from './waiting-records.ts'

/** The partitions of a process that sent no heartbeat for so long go to others. */
const SESSION_MS = 10_000
const HEARTBEAT_MS = 2000
/** A process whose heartbeat is late by so much no longer trusts that its partitions are still its own. */
const LATE_MS = 6000
/** How long a change in the group waits for what is under way here; less than a session. */
const HANDOVER_MS = 6000
const REBALANCE_MS = 15_000
/** A group that has waited so long for a new record answers that there is none. */
const FETCH_WAIT_MS = 500
const EARLIEST = -2n

type Received = Message<Buffer, Buffer, Buffer, Buffer>

/** Options of every client of one place. */
function connectionOptions(place: StreamPlace) {
  const { servers, user, password, saslMechanism } = place.address
  return {
    clientId: 'vigil',
    bootstrapBrokers: [...servers],
    autocreateTopics: true,
    ...tlsOptions(place),
    ...(user === null
      ? {}
      : { sasl: { mechanism: saslMechanism, username: user, password: password ?? '' } }),
  }
}

/** Joins the consumer group of a topic; a missing topic is created with the defaults of the broker. */
export async function openKafka(place: StreamPlace): Promise<StreamConsumer> {
  const { Consumer, Producer } = await import('@platformatic/kafka')
  const options = connectionOptions(place)
  const opened = new KafkaConsumer({
    topic: place.topic,
    producer: new Producer({ ...options, idempotent: true }),
    makeConsumer: (settled) =>
      new Consumer({
        ...options,
        groupId: place.group,
        sessionTimeout: SESSION_MS,
        heartbeatInterval: HEARTBEAT_MS,
        rebalanceTimeout: REBALANCE_MS,
        maxWaitTime: FETCH_WAIT_MS,
        // Asked before every request to join: partitions are given up only when nothing of them is under way.
        protocolsMetadata: async () => {
          await settled()
          return Buffer.alloc(0)
        },
      }),
  })
  try {
    await opened.join()
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

interface KafkaParts {
  readonly topic: string
  readonly producer: Producer
  /** @param settled resolves when no batch of this member is under way */
  readonly makeConsumer: (settled: () => Promise<void>) => Consumer
}

class KafkaConsumer implements StreamConsumer {
  readonly #topic: string
  readonly #producer: Producer
  readonly #consumer: Consumer
  readonly #events = new EventEmitter()
  readonly #underWay = new Set<Promise<void>>()
  /** Fetches from the committed offsets of the present assignment; null while the group changes. */
  #stream: MessagesStream<Buffer, Buffer, Buffer, Buffer> | null = null
  readonly #waiting = new WaitingRecords<Received>()
  #aliveAt = performance.now()
  #error: Error | null = null
  #isClosed = false
  /** Changes of the stream, one after the other. */
  #changes: Promise<void> = Promise.resolve()

  constructor({ topic, producer, makeConsumer }: KafkaParts) {
    this.#topic = topic
    this.#producer = producer
    const consumer = makeConsumer(() => this.#handOver())
    this.#consumer = consumer
    // Held here, so that a stream that is replaced does not leave the group.
    consumer.topics.track(topic)
    consumer.on('consumer:group:join', () => {
      this.#beat()
      this.#change(() => this.#begin())
    })
    consumer.on('consumer:heartbeat:end', () => this.#beat())
    consumer.on('consumer:heartbeat:stalled', () => this.#fail(new Error('the broker answers no heartbeat')))
    consumer.on('error', (error: Error) => this.#fail(error))
    producer.on('error', (error: Error) => this.#fail(error))
  }

  async join(): Promise<void> {
    await this.#consumer.joinGroup()
    await this.#changes
  }

  async next(signal: AbortSignal): Promise<StreamBatch | null> {
    while (!signal.aborted) {
      if (this.#error !== null) throw this.#error
      const isOwner = this.#stream !== null && performance.now() - this.#aliveAt < LATE_MS
      const messages = isOwner ? this.#take() : []
      if (messages.length > 0) return this.#batch(messages)
      // The signal ends the wait, and the loop with it.
      await once(this.#events, 'wake', { signal }).catch(() => {})
    }
    return null
  }

  #beat(): void {
    this.#aliveAt = performance.now()
    this.#events.emit('wake')
  }

  #fail(error: Error): void {
    this.#error ??= error
    this.#events.emit('wake')
  }

  #change(work: () => Promise<void>): void {
    this.#changes = this.#changes.then(work).catch((error: unknown) => {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    })
  }

  /** Takes nothing more and waits for what is under way, for a limited time. */
  async #handOver(): Promise<void> {
    this.#change(() => this.#end())
    const limit = AbortSignal.timeout(HANDOVER_MS)
    await Promise.race([Promise.all(this.#underWay), once(limit, 'abort')])
  }

  /** Drops the stream and what it brought: the next owner of the partitions reads from the committed offsets. */
  async #end(): Promise<void> {
    const stream = this.#stream
    this.#stream = null
    this.#waiting.clear()
    await stream?.close()
  }

  async #begin(): Promise<void> {
    await this.#end()
    if (this.#isClosed) return
    const stream = await this.#consumer.consume({
      topics: [this.#topic],
      autocommit: false,
      mode: 'committed',
      fallbackMode: 'earliest',
      maxBytes: MAX_BATCH_BYTES,
      maxWaitTime: FETCH_WAIT_MS,
    })
    stream.on('error', (error) => this.#fail(error))
    stream.on('data', (message) => {
      if (this.#stream !== stream) return
      this.#waiting.add(message)
      if (this.#waiting.isFull) stream.pause()
      this.#events.emit('wake')
    })
    this.#stream = stream
  }

  #take(): Received[] {
    const taken = this.#waiting.take()
    if (!this.#waiting.isFull && this.#stream?.isPaused()) this.#stream.resume()
    return taken
  }

  #batch(messages: readonly Received[]): StreamBatch {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#underWay.add(promise)
    return {
      records: messages.map(recordOf),
      acknowledge: async () => {
        try {
          await this.#commit(messages)
        } finally {
          this.#underWay.delete(promise)
          resolve()
        }
      },
    }
  }

  async #commit(messages: readonly Received[]): Promise<void> {
    const last = new Map(messages.map((message) => [message.partition, message]))
    const own = this.#consumer.assignments?.find(({ topic }) => topic === this.#topic)?.partitions ?? []
    const offsets = [...last.values()]
      // A partition that went to another member is that member's to commit.
      .filter(({ partition }) => own.includes(partition))
      .map(({ partition, offset, leaderEpoch }) => ({
        topic: this.#topic,
        partition,
        offset: offset + 1n,
        leaderEpoch: leaderEpoch ?? -1,
      }))
    if (offsets.length > 0) await this.#consumer.commit({ offsets })
  }

  async sendDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    const messages = letters.map(({ id, value, reason }) => ({
      topic: this.#topic + DEAD_LETTERS,
      value: Buffer.from(value),
      headers: new Map([
        [Buffer.from(REASON_HEADER), Buffer.from(reason)],
        [Buffer.from(RECORD_HEADER), Buffer.from(id)],
      ]),
    }))
    await this.#producer.send({ messages })
  }

  async lag(): Promise<number> {
    const topics = [this.#topic]
    const latest = (await this.#consumer.listOffsets({ topics })).get(this.#topic) ?? []
    const partitions = latest.map((_, partition) => partition)
    const [committed, earliest] = await Promise.all([
      this.#consumer.listCommittedOffsets({ topics: [{ topic: this.#topic, partitions }] }),
      this.#consumer.listOffsets({ topics, timestamp: EARLIEST }),
    ])
    const done = committed.get(this.#topic) ?? []
    const first = earliest.get(this.#topic) ?? []
    return partitions.reduce((sum, partition) => {
      const at = done[partition] ?? -1n
      return sum + Number(latest[partition]! - (at >= 0n ? at : (first[partition] ?? 0n)))
    }, 0)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#change(() => this.#end())
    await this.#changes
    await Promise.all([this.#consumer.close(true), this.#producer.close(true)])
  }
}

function recordOf({ topic, partition, offset, timestamp, value }: Received): StreamRecord {
  // A topic that was deleted and made again counts from zero; the time tells its records apart.
  return { id: `kafka ${topic} ${partition} ${offset} ${timestamp}`, value: value ?? new Uint8Array() }
}
