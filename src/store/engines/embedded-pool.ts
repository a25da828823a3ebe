import { MessageChannel, type MessagePort } from 'node:worker_threads'
import pg from 'pg'
import { PortStream } from './port-stream.ts'

/** Gives one new connection to the embedded engine. */
export type EmbeddedConnector = () => MessagePort

/** Connections of another thread than the engine's, through a port of `EmbeddedEngine.gate`. */
export function connectThrough(gate: MessagePort): EmbeddedConnector {
  gate.unref()
  return () => {
    const { port1, port2 } = new MessageChannel()
    gate.postMessage(port2, [port2])
    return port1
  }
}

/** A pool whose connections are ports of the embedded engine. */
export function embeddedPool(connect: EmbeddedConnector, size: number, answerMs: number): pg.Pool {
  return new pg.Pool({
    user: 'postgres',
    database: 'postgres',
    max: size,
    // Nothing is gained by closing an idle port.
    idleTimeoutMillis: 0,
    ssl: false,
    query_timeout: answerMs,
    stream: () => new PortStream(connect()) as never,
  } as pg.PoolConfig)
}
