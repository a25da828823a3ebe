import { createServer } from 'node:net'
import type { Running } from '../app/index.ts'
import { type Client, createClient } from '../contract/client.ts'
import type { Settings } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'
import type { Server } from '../server/index.ts'

const CLOSE_MS = 10_000

/** A server in this process, for one command. */
export interface OwnServer {
  readonly address: string
  readonly client: Client
  /** Rejects when a part of the server died. */
  readonly died: Promise<never>
  /** Ends the server and calls `removeFolder`. */
  close(): Promise<void>
}

/**
 * Starts a server for the time of a command.
 *
 * @param settings with an API key
 * @param removeFolder called after the server has ended
 * @throws Failure of the start group of the error table
 */
export async function startOwnServer(settings: Settings, removeFolder: () => void): Promise<OwnServer> {
  // A command that asks another server never loads this one.
  const [{ boot }, { startServer }] = await Promise.all([
    import('../app/index.ts'),
    import('../server/index.ts'),
  ])
  const log = createLog(settings.logLevel)
  let die: (error: Error) => void = () => {}
  const died = new Promise<never>((_resolve, reject) => {
    die = reject
  })
  // The command that waits for it reports it; nobody may wait at that moment.
  died.catch(() => {})
  const running: Running = await boot(settings, log, (error) => die(error))
  let server: Server
  try {
    server = await startServer(running.app)
    // A command asks for its tests at once.
    await running.app.templates.ready()
  } catch (error) {
    await running.close()
    throw error
  }
  return {
    address: server.address,
    client: createClient({ baseUrl: server.address, apiKey: settings.apiKey! }),
    died,
    async close() {
      await server.stop(CLOSE_MS)
      await running.close(CLOSE_MS)
      log.flush()
      removeFolder()
    },
  }
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
