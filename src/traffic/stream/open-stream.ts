import { Failure } from '../../kit/index.ts'
import { openNats } from './nats.ts'
import type { StreamConsumer, StreamPlace } from './port.ts'

const PACKAGES = ['@nats-io/transport-node', '@nats-io/jetstream']

/**
 * Checks that the client of the broker is installed: it is an optional package.
 *
 * @throws Failure STREAM_CLIENT_MISSING
 */
export async function requireStreamClient(): Promise<void> {
  try {
    for (const name of PACKAGES) await import(name)
  } catch (cause) {
    throw new Failure('STREAM_CLIENT_MISSING', { packages: PACKAGES.join(' ') }, { cause })
  }
}

/**
 * Joins the group that reads a stream.
 *
 * @throws errors of the broker's client
 */
export function openStream(place: StreamPlace): Promise<StreamConsumer> {
  return openNats(place)
}
