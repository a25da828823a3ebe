import type { StreamAddress } from '../../kit/index.ts'

/** What is read, and with whom. */
export interface StreamPlace {
  readonly address: StreamAddress
  /** Authorities of the servers' certificates as PEM; null for the public ones. */
  readonly ca: string | null
  /** Certificate and key of this client as PEM. */
  readonly clientCertificate: string | null
  /** Contents of a NATS credentials file. */
  readonly credentials: string | null
  /** Topic of Kafka, or subject of NATS. */
  readonly topic: string
  /** Consumer group of Kafka, or durable consumer of NATS. */
  readonly group: string
}

/** Options of a TLS connection to the servers of a stream; none without TLS. */
export function tlsOptions({ address, ca, clientCertificate: pem }: StreamPlace): {
  tls?: { ca?: string; cert?: string; key?: string }
} {
  if (!address.usesTls) return {}
  return { tls: { ...(ca === null ? {} : { ca }), ...(pem === null ? {} : { cert: pem, key: pem }) } }
}

/** One record of a stream, as the broker keeps it. */
export interface StreamRecord {
  /** What the stream calls it at every delivery, to any process. */
  readonly id: string
  readonly value: Uint8Array
}

/** Records that were delivered together and are acknowledged together. */
export interface StreamBatch {
  readonly records: readonly StreamRecord[]
  /** To be called after the transaction that holds their effects, in the order of the batches. */
  acknowledge(): Promise<void>
}

/** A record, or one message of it, that cannot be taken. */
export interface DeadLetter {
  readonly id: string
  readonly value: Uint8Array
  readonly reason: string
}

/**
 * One process's share of a message stream: members of a group divide its records, and what a member did not acknowledge
 * is delivered again, to it or to another. It asks the broker for more only while {@link next} is called, so a slow
 * reader holds a bounded number of bytes.
 *
 * @throws errors of the broker's client; the consumer is then to be closed and opened anew
 */
export interface StreamConsumer {
  /** The next records, as soon as there are any; null when the signal is aborted. */
  next(signal: AbortSignal): Promise<StreamBatch | null>
  /** Publishes what cannot be taken beside the stream, with its reason; resolves when the broker has it. */
  sendDeadLetters(letters: readonly DeadLetter[]): Promise<void>
  /** Records of the whole stream that the group has not acknowledged. */
  lag(): Promise<number>
  /** What was not acknowledged is delivered again. */
  close(): Promise<void>
}

/** Bytes of one batch at most, unless a single record is larger. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024
/** Records of one batch at most. */
export const MAX_BATCH_RECORDS = 1000
/** Ends the name of the topic or subject that takes dead letters. */
export const DEAD_LETTERS = '.dead-letters'
/** Headers of a dead letter. */
export const REASON_HEADER = 'vigil-reason'
export const RECORD_HEADER = 'vigil-record'
