import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../../contract/client.ts'
import type { Settings } from '../../kit/index.ts'
import { freePort, startOwnServer } from '../own-server.ts'
import type { ScanOptions } from './scan-options.ts'

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
    return await startOwnServer(await ownSettings(options, folder, isKept), removeFolder)
  } catch (error) {
    removeFolder()
    throw error
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
    crawlsAtOnce: options.crawl === null ? 0 : 1,
    targetRequestsPerMinute: options.rate === null ? settings.targetRequestsPerMinute : options.rate * 60,
    callbackPort:
      settings.callbackPort === 0 && isLoopback(options.target) ? await freePort() : settings.callbackPort,
  }
}

/** A target on this machine can call back without further settings. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
