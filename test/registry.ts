import { execFileSync } from 'node:child_process'

/** Whether npm reaches its registry; says loudly what is skipped otherwise. */
export function isRegistryReachable(what: string): boolean {
  try {
    execFileSync('npm', ['ping'], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    console.warn(`SKIPPED: ${what}. The registry of npm cannot be reached.`)
    return false
  }
}
