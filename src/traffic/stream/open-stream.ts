import { Failure, type StreamKind } from '../../kit/index.ts'
import { openKafka } from './kafka.ts'
import { openNats } from './nats.ts'
import type { StreamConsumer, StreamPlace } from './port.ts'

/** Packages of the client of each broker: optional, to be installed by those who read from it. */
const PACKAGES: Readonly<Record<StreamKind, readonly string[]>> = {
  kafka: ['@platformatic/kafka'],
  nats: ['@nats-io/transport-node', '@nats-io/jetstream'],
}

/**
 * Checks that the client of the broker is installed: it is an optional package.
 *
 * @throws Failure STREAM_CLIENT_MISSING
 */
export async function requireStreamClient(kind: StreamKind): Promise<void> {
  const packages = PACKAGES[kind]
  try {
    for (const name of packages) await import(name)
  } catch (cause) {
    throw new Failure('STREAM_CLIENT_MISSING', { packages: packages.join(' ') }, { cause })
  }
}

/**
 * Joins the group that reads a stream.
 *
 * @throws errors of the broker's client
 */
export function openStream(place: StreamPlace): Promise<StreamConsumer> {
  return place.address.kind === 'kafka' ? openKafka(place) : openNats(place)
}
