import { EventEmitter, once } from 'node:events'
import type { Consumer, ConsumerMessages, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import {
  DEAD_LETTERS,
  type DeadLetter,
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  REASON_HEADER,
  RECORD_HEADER,
  type StreamBatch,
  type StreamConsumer,
  type StreamPlace,
  type StreamRecord,
  tlsOptions,
} from './port.ts'

/** A message of a process that sent no heartbeat for so long is delivered again. */
const ACK_WAIT_MS = 10_000
const HEARTBEAT_MS = 2000
/** A process whose heartbeat is late by so much no longer trusts that a message is still its own. */
const LATE_MS = 5000
/** Messages that may wait for their acknowledgement over all processes of a group. */
const MAX_UNACKNOWLEDGED = 5000
/** Bytes that wait here to be taken; more are given back for a second. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024
const GIVE_BACK_MS = 1000
const NANOSECONDS = 1_000_000

/**
 * Joins the durable consumer of a subject. A stream that captures the subject is used as it is; where there is none, one
 * with files and default limits is made.
 */
export async function openNats(place: StreamPlace): Promise<StreamConsumer> {
  const { address, topic, group, credentials } = place
  const { connect, credsAuthenticator } = await import('@nats-io/transport-node')
  const { AckPolicy, jetstream, jetstreamManager } = await import('@nats-io/jetstream')
  const connection = await connect({
    servers: [...address.servers],
    name: 'vigil',
    maxReconnectAttempts: -1,
    ...(address.user === null ? {} : { user: address.user, pass: address.password ?? '' }),
    // The client reads only lines that end with a newline, which settings from files have lost at their end.
    ...(credentials === null ? {} : { authenticator: credsAuthenticator(Buffer.from(`${credentials}\n`)) }),
    ...tlsOptions(place),
  })
  try {
    const manager = await jetstreamManager(connection)
    const stream = await streamOf(manager, topic)
    await manager.consumers.add(stream, {
      durable_name: group,
      filter_subject: topic,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * NANOSECONDS,
      max_ack_pending: MAX_UNACKNOWLEDGED,
    })
    const client = jetstream(connection)
    const consumer = await client.consumers.get(stream, group)
    return await NatsConsumer.begin({ connection, manager, client, consumer, topic })
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function streamOf(manager: JetStreamManager, subject: string): Promise<string> {
  // The client answers an unknown subject with an error without a code.
  for await (const { config } of manager.streams.list(subject)) return config.name
  const name = subject.replace(/[^A-Za-z0-9_-]/g, '_')
  await manager.streams.add({ name, subjects: [subject] })
  return name
}

interface NatsParts {
  readonly connection: NatsConnection
  readonly manager: JetStreamManager
  readonly client: JetStreamClient
  readonly consumer: Consumer
  readonly topic: string
}

class NatsConsumer implements StreamConsumer {
  readonly #parts: NatsParts
  /** Delivered and not taken into a batch yet. */
  #waiting: JsMsg[] = []
  #waitingBytes = 0
  readonly #underWay = new Set<readonly JsMsg[]>()
  readonly #arrivals = new EventEmitter()
  readonly #heartbeat: NodeJS.Timeout
  #beatAt = performance.now()
  #messages: ConsumerMessages | null = null
  #error: Error | null = null
  #hasDeadLetters = false

  static async begin(parts: NatsParts): Promise<NatsConsumer> {
    const consumer = new NatsConsumer(parts)
    await consumer.#consume()
    return consumer
  }

  private constructor(parts: NatsParts) {
    this.#parts = parts
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS)
  }

  async next(signal: AbortSignal): Promise<StreamBatch | null> {
    while (!signal.aborted) {
      if (this.#error !== null) throw this.#error
      if (performance.now() - this.#beatAt > LATE_MS) this.#forget()
      const messages = this.#take()
      if (messages.length > 0) return this.#batch(messages)
      // The signal ends the wait, and the loop with it.
      await once(this.#arrivals, 'message', { signal }).catch(() => {})
    }
    return null
  }

  /** In the form of callbacks: a message waits here from its arrival, and has a heartbeat while it waits. */
  async #consume(): Promise<void> {
    const messages = await this.#parts.consumer.consume({
      max_messages: MAX_BATCH_RECORDS,
      callback: (message) => this.#note(message),
    })
    this.#messages = messages
    void messages.closed().then((error) => {
      this.#error = error instanceof Error ? error : new Error('the server closed the stream consumer')
      this.#arrivals.emit('message')
    })
  }

  #note(message: JsMsg): void {
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      message.nak(GIVE_BACK_MS)
      return
    }
    this.#waiting.push(message)
    this.#waitingBytes += message.data.byteLength
    this.#arrivals.emit('message')
  }

  #beat(): void {
    // Too late: the server may have delivered them to another process.
    if (performance.now() - this.#beatAt > LATE_MS) this.#forget()
    this.#beatAt = performance.now()
    for (const messages of [this.#waiting, ...this.#underWay])
      for (const message of messages) message.working()
  }

  /** Leaves what waits to the server, which delivers it again. */
  #forget(): void {
    this.#waiting = []
    this.#waitingBytes = 0
  }

  #take(): JsMsg[] {
    let bytes = 0
    let count = 0
    while (count < this.#waiting.length && count < MAX_BATCH_RECORDS && bytes < MAX_BATCH_BYTES)
      bytes += this.#waiting[count++]!.data.byteLength
    this.#waitingBytes -= bytes
    return this.#waiting.splice(0, count)
  }

  #batch(messages: readonly JsMsg[]): StreamBatch {
    this.#underWay.add(messages)
    return {
      records: messages.map(recordOf),
      acknowledge: async () => {
        this.#underWay.delete(messages)
        for (const message of messages) message.ack()
        await this.#parts.connection.flush()
      },
    }
  }

  async sendDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    const { client, manager, topic } = this.#parts
    const { headers } = await import('@nats-io/transport-node')
    const subject = topic + DEAD_LETTERS
    if (!this.#hasDeadLetters) await streamOf(manager, subject)
    this.#hasDeadLetters = true
    for (const { id, value, reason } of letters) {
      const about = headers()
      about.set(REASON_HEADER, reason)
      about.set(RECORD_HEADER, id)
      await client.publish(subject, value, { headers: about, msgID: id })
    }
  }

  async lag(): Promise<number> {
    const { num_pending, num_ack_pending } = await this.#parts.consumer.info()
    return num_pending + num_ack_pending
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    const { connection } = this.#parts
    if (connection.isClosed()) return
    await this.#messages?.close()
    // Given back at once, so that nobody waits until their time is over.
    for (const messages of [this.#waiting, ...this.#underWay]) for (const message of messages) message.nak()
    await connection.drain()
  }
}

function recordOf({ info, data }: JsMsg): StreamRecord {
  // A stream that was deleted and made again counts from one; the time tells its messages apart.
  return { id: `nats ${info.stream} ${info.streamSequence} ${info.timestampNanos}`, value: data }
}
