import { mkdtempSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
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

/**
 * Removes a profile; the browser may still be writing its last, so it may take some attempts, without keeping anybody
 * waiting. Never rejects: what cannot be removed is left to later sweeps.
 */
export async function removeProfile(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }).catch(() => {})
}

/** Removes the profiles that killed processes of this machine left behind. Never rejects. */
export async function sweepProfiles(folder: string = tmpdir()): Promise<void> {
  const prefix = machinePrefix()
  const names = await readdir(folder).catch(() => []) // what cannot be listed cannot be swept
  const left = names.filter((name) => {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    return Number.isInteger(pid) && !isAlive(pid)
  })
  await Promise.all(left.map((name) => removeProfile(join(folder, name))))
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
