import { join } from 'node:path'

const FILE = 'control.sock'
/** Longest name that every system takes for a socket, with its end mark. */
const MOST_BYTES = 100

/** Name of the socket of a data folder; null where its name is too long, or the system has no such sockets. */
export function controlSocket(dataDir: string): string | null {
  const path = join(dataDir, FILE)
  return process.platform === 'win32' || Buffer.byteLength(path) > MOST_BYTES ? null : path
}
