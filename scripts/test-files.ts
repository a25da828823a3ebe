import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** How a file of tests is run, see `vitest.config.ts`. */
export type TestKind =
  /** Tests plain code: opens no store, server, process of the product or browser. */
  | 'plain'
  | 'product'
  /** Waits most of its time: for times that must pass, for processes that start or were killed, brokers, slow targets, crawls. */
  | 'waiting'

/**
 * Tag of tests that `npm run test:all` runs and `npm test` does not; files of nothing else are called
 * `*.marathon.test.ts`.
 */
export const MARATHON = 'marathon'
/** Tag of a test that needs a program which no package of Debian brings; skipping it is never a failure. */
export const RARE_PROGRAM = 'rare-program'

/** A file of tests. */
export interface TestFile {
  /** From the root of the repository. */
  readonly path: string
  readonly kind: TestKind
  /** Holds nothing but tests of `npm run test:all`. */
  readonly isMarathon: boolean
  /** Uses the store fixture, so that it runs on the store that the environment names. */
  readonly usesStore: boolean
  /** Tests what the two stores do differently: `npm test` runs it on both. */
  readonly differsByStore: boolean
  /** As {@link differsByStore}, or has a marathon for the embedded store only: `npm run test:all` runs it on both. */
  readonly marathonsDiffer: boolean
}

const WAITING = [
  'src/cli/',
  'src/server/connection-limits.test.ts',
  'src/server/shutdown.test.ts',
  'test/crawler/',
  'test/faults/',
  'test/scenarios/process-roles.test.ts',
  'test/scenarios/run-maintenance.test.ts',
  'test/scenarios/scan.test.ts',
  'test/scenarios/self-scan.marathon.test.ts',
  'test/scenarios/slow-opening.test.ts',
  'test/scenarios/stream-',
  'test/scenarios/test-runs.test.ts',
]

/** What runs on the embedded store only. */
const EMBEDDED_ONLY = /\.(?:runIf|skipIf)\(\s*testedEngine [!=]== 'embedded'\s*\)/
/** As {@link EMBEDDED_ONLY}, marathons aside. */
const SHORT_EMBEDDED_ONLY = new RegExp(
  `${EMBEDDED_ONLY.source}(?!\\(\\s*'[^']*',\\s*\\{ tags: \\['marathon'\\])`,
)
/** Locks, transactions, durability, leases, kills, and one scenario that takes traffic through the whole product. */
const DIFFERS_BY_STORE = [
  'src/crawler/records/crawl-workers.test.ts',
  'src/inventory/collections/find-or-create.test.ts',
  'src/store/',
  'src/threat/windows/',
  'test/faults/',
  'test/scenarios/live.test.ts',
]

/** Opens embedded stores, whatever the store under test: once is enough. */
const EMBEDDED_ALWAYS = ['src/cli/account-action.test.ts', 'src/store/backup/backup-file.test.ts']

const STORE_FIXTURE = 'test/store-fixture.ts'
const PROCESS_FIXTURES = ['bench/crawler/run-crawl.ts', 'test/browser/browser.ts', 'test/start-program.ts']
/** Where fixtures stand: the product imports none. */
const FIXTURE_FOLDERS = /^(bench|scripts|test)\//

/** All files of tests below `root`, by path. */
export function testFiles(root: string): TestFile[] {
  const fixturesOf = fixtureReader(root)
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort()
      .map((path) => testFile(path, fixturesOf(path), readFileSync(join(root, path), 'utf8'))),
  )
}

function testFile(path: string, fixtures: ReadonlySet<string>, text: string): TestFile {
  const startsWith = (starts: readonly string[]): boolean => starts.some((start) => path.startsWith(start))
  const opensStore = fixtures.has(STORE_FIXTURE)
  const usesStore = opensStore && !EMBEDDED_ALWAYS.includes(path)
  const isPlain = !opensStore && !PROCESS_FIXTURES.some((fixture) => fixtures.has(fixture))
  return {
    path,
    kind: startsWith(WAITING) ? 'waiting' : isPlain ? 'plain' : 'product',
    isMarathon: path.endsWith(`.${MARATHON}.test.ts`),
    usesStore,
    differsByStore: usesStore && (startsWith(DIFFERS_BY_STORE) || SHORT_EMBEDDED_ONLY.test(text)),
    marathonsDiffer: usesStore && (startsWith(DIFFERS_BY_STORE) || EMBEDDED_ONLY.test(text)),
  }
}

/** Gives for a file all fixtures that it imports, directly or through others. */
function fixtureReader(root: string): (path: string) => ReadonlySet<string> {
  const imports = new Map<string, string[]>()
  const importsOf = (path: string): string[] => {
    const known = imports.get(path)
    if (known !== undefined) return known
    const file = join(root, path)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)]
      .map(([, name]) => relative(root, resolve(dirname(file), name!)))
      .filter((name) => FIXTURE_FOLDERS.test(name))
    imports.set(path, found)
    return found
  }
  return (path) => {
    const seen = new Set<string>()
    const open = importsOf(path).slice()
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...importsOf(next))
    }
    return seen
  }
}
