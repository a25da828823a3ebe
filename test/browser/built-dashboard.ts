import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'vite'

const root = join(import.meta.dirname, '..', '..')

function newest(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)
}

function builtAt(): number {
  return statSync(join(root, 'dist', 'dashboard', 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

const LOCK = join(root, 'node_modules', '.cache', 'vigil-dashboard-build')
/** A lock so old was left by a process that was killed. */
const ABANDONED_MS = 120_000

/** One process of the tests builds; the others wait until it has. */
async function alone(work: () => Promise<void>): Promise<void> {
  mkdirSync(join(LOCK, '..'), { recursive: true })
  for (;;) {
    try {
      closeSync(openSync(LOCK, 'wx'))
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
      if (Date.now() - since > ABANDONED_MS) rmSync(LOCK, { force: true })
      await pause(200)
    }
  }
  try {
    await work()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

/** Builds the dashboard unless what stands in dist is newer than every source. */
export const buildDashboardWhenStale = (): Promise<void> => alone(buildWhenStale)

async function buildWhenStale(): Promise<void> {
  const changed = Math.max(newest(join(root, 'src', 'dashboard')), newest(join(root, 'src', 'contract')))
  if (builtAt() > changed) return
  // The test runner says it is a test, and then the libraries come with their checks for developers, in dist too.
  const mode = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  } finally {
    if (mode === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = mode
  }
}
