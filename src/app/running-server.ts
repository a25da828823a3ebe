import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'server.json'

/** A server that runs on a data folder, as it tells commands on the same machine. */
interface RunningServer {
  readonly pid: number
  /** URL of its listening address. */
  readonly address: string
}

/**
 * Tells commands on this machine that the server of a data folder runs and takes a snapshot at SIGUSR2.
 *
 * @returns a function that takes it back
 */
export function announceServer(dataDir: string, address: string): () => void {
  const path = join(dataDir, FILE)
  const server: RunningServer = { pid: process.pid, address }
  writeFileSync(path, JSON.stringify(server), { mode: 0o600 })
  return () => {
    // The folder may have been replaced by that of another server.
    if (readRunningServer(dataDir)?.pid === process.pid) rmSync(path, { force: true })
  }
}

/** The server that said it runs on a data folder; it may have been killed since. Null when none did. */
export function readRunningServer(dataDir: string): RunningServer | null {
  try {
    const { pid, address } = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Record<string, unknown>
    return typeof pid === 'number' && typeof address === 'string' ? { pid, address } : null
  } catch {
    return null // absent, or torn by a kill: nobody runs there
  }
}
