import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
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

/** Builds the dashboard unless what stands in dist is newer than every source. */
export async function buildDashboardWhenStale(): Promise<void> {
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
