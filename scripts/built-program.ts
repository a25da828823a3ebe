/**
 * The compiled program in `dist`, which `npm start` runs: it starts in three quarters of the time that the sources take,
 * and holds less. Run as a script it compiles when something in `src` changed since, so that after an edit or a
 * `git pull` the next start is of the present sources.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
/** Its time is that of the newest source that was compiled. */
const STAMP = join(root, 'dist/.compiled')
const RESULTS = ['dist/cli/main.js', 'dist/wasm/batch-scanner.wasm', 'dist/packages/LICENSES.txt']
const COMPILER = 'node_modules/.bin/tsc'
const SETTINGS = ['tsconfig.base.json', 'tsconfig.build.json', 'package-lock.json', 'scripts/compiled-in.ts']
const DASHBOARD = join('src', 'dashboard')

function newestSourceMs(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(root, DASHBOARD)))
  const all = [...sources, ...SETTINGS.map((name) => join(root, name))]
  return Math.max(...all.map((path) => Math.floor(statSync(path).mtimeMs)))
}

function runScript(name: string): void {
  const done = spawnSync('npm', ['run', '--silent', name], { cwd: root, stdio: 'inherit' })
  if (done.status !== 0) throw new Error(`npm run ${name} failed; what it said stands above`)
}

/**
 * Compiles what is not compiled.
 *
 * @throws Error when a compiler fails
 */
export async function ensureBuilt(): Promise<void> {
  const newestMs = newestSourceMs()
  const stamp = statSync(STAMP, { throwIfNoEntry: false })
  const isThere = RESULTS.every((path) => existsSync(join(root, path)))
  if (isThere && stamp !== undefined && Math.floor(stamp.mtimeMs) === newestMs) return
  if (isThere && !existsSync(join(root, COMPILER))) {
    console.warn('dist may be older than src: the compiler is not installed here, npm ci brings it')
    return
  }
  if (!existsSync(join(root, COMPILER)))
    throw new Error(
      'the program is not built, and the compilers are development dependencies: run "npm ci", which builds',
    )
  console.warn('vigil: compiling what changed in src, which takes up to a minute')
  runScript('build:wasm')
  runScript('build:server')
  // Loaded here, because its compiler is not installed everywhere.
  const packages = await import('./compiled-in.ts')
  await packages.compilePackagesIn()
  writeFileSync(STAMP, '')
  utimesSync(STAMP, newestMs / 1000, newestMs / 1000)
}

/** The documentation as a site is written anew after an edit of its pages, where the packages for it are installed. */
async function ensureDocsSite(): Promise<void> {
  if (!['markdown-it', 'minisearch'].every((name) => existsSync(join(root, 'node_modules', name)))) return
  const written = statSync(join(root, 'dist/docs-site/index.html'), { throwIfNoEntry: false })
  const newestMs = Math.max(
    ...['docs', 'scripts/docs-site'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
    ),
  )
  if (written !== undefined && written.mtimeMs >= newestMs) return
  const site = await import('./docs-site/build.ts')
  site.buildDocsSite()
}

if (import.meta.main) {
  try {
    await ensureBuilt()
    await ensureDocsSite()
  } catch (error) {
    console.error(`vigil: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
