import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot, type Running } from '../../app/index.ts'
import { type Client, createClient } from '../../contract/index.ts'
import { createLog, type Settings } from '../../kit/index.ts'
import { type Server, startServer } from '../../server/index.ts'
import type { ScanOptions } from './scan-options.ts'

const CLOSE_MS = 10_000
const KEY_LENGTH = 40

/** The installation that a scan uses. */
export interface ScanServer {
  readonly client: Client
  /** Rejects when a part of a server in this process died. */
  readonly died: Promise<never>
  /** Ends a server in this process, and removes its store unless it is kept. */
  close(): Promise<void>
}

/**
 * Connects to the named installation, or starts one in this process. Only this process has its key, but for a kept store with VIGIL_API_KEY.
 *
 * @throws Failure of the start group of the error table
 */
export async function openScanServer(options: ScanOptions): Promise<ScanServer> {
  if (options.server !== null) {
    const { url, key } = options.server
    const client = createClient({ baseUrl: url, apiKey: key })
    return { client, died: new Promise<never>(() => {}), close: async () => {} }
  }
  const isKept = options.settings.sources.dataDir === 'flag'
  const folder = isKept ? options.settings.settings.dataDir : mkdtempSync(join(tmpdir(), 'vigil-scan-'))
  const removeFolder = (): void => {
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
  try {
    return await startOwn(await ownSettings(options, folder, isKept), removeFolder)
  } catch (error) {
    removeFolder()
    throw error
  }
}

async function startOwn(settings: Settings, removeFolder: () => void): Promise<ScanServer> {
  const log = createLog(settings.logLevel)
  let die: (error: Error) => void = () => {}
  const died = new Promise<never>((_resolve, reject) => {
    die = reject
  })
  // Whoever waits for it hears of it; nobody may wait at that moment.
  died.catch(() => {})
  const running: Running = await boot(settings, log, (error) => die(error))
  let server: Server
  try {
    server = await startServer(running.app)
  } catch (error) {
    await running.close()
    throw error
  }
  return {
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

/** The settings of the command line and the environment, but for what makes the server this scan's own. */
async function ownSettings(options: ScanOptions, folder: string, isKept: boolean): Promise<Settings> {
  const { settings, sources } = options.settings
  return {
    ...settings,
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    dataDir: folder,
    databaseUrl: sources.databaseUrl === 'flag' ? settings.databaseUrl : null,
    embeddedDurability: isKept && settings.embeddedDurability,
    apiKey: (isKept ? settings.apiKey : null) ?? randomBytes(KEY_LENGTH / 2).toString('hex'),
    logLevel: sources.logLevel === 'default' ? 'error' : settings.logLevel,
    snapshotHours: 0,
    crawlsAtOnce: 0,
    targetRequestsPerMinute: options.rate === null ? settings.targetRequestsPerMinute : options.rate * 60,
    callbackPort:
      settings.callbackPort === 0 && isLoopback(options.target) ? await freePort() : settings.callbackPort,
  }
}

/** A target on this machine can call back without further settings. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

function freePort(): Promise<number> {
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
