import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'vigil-browser-'

/** Start of the name of profiles that processes of this machine make. */
function machinePrefix(): string {
  return `${PREFIX}${hostname().replace(/[^A-Za-z0-9]/g, '')}-`
}

/** Makes an empty profile for a browser of this process. */
export function makeProfile(folder: string = tmpdir()): string {
  return mkdtempSync(join(folder, `${machinePrefix()}${process.pid}-`))
}

/** Removes a profile; the browser may still be writing its last. */
export function removeProfile(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

/**
 * Removes the profiles that killed processes of this machine left behind.
 * @returns how many
 */
export function sweepProfiles(folder: string = tmpdir()): number {
  const prefix = machinePrefix()
  let removed = 0
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (!Number.isInteger(pid) || isAlive(pid)) continue
    removeProfile(join(folder, name))
    removed++
  }
  return removed
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
