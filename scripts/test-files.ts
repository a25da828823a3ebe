import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a file of tests is run, see `vitest.config.ts`. */
export type TestKind =
  /** Tests plain code: starts no store, server, process of the product or browser. */
  | 'plain'
  | 'whole'
  /** Waits most of its time: for times that must pass, for processes that were killed, for slow targets. */
  | 'waiting'

/** A file of tests. */
export interface TestFile {
  /** From the root of the repository. */
  readonly path: string
  readonly kind: TestKind
  /** Its text shows that it opens a store or a server. */
  readonly opensStore: boolean
}

const WAITING = [
  'test/faults/',
  'test/scenarios/test-runs.test.ts',
  'test/scenarios/run-upkeep.test.ts',
  'src/server/shutdown.test.ts',
]

/** All files of tests below `root`, by path. */
export function testFiles(root: string): TestFile[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => testFile(file.slice(root.length), readFileSync(file, 'utf8'))),
  )
}

function testFile(path: string, text: string): TestFile {
  const opensStore = /store-fixture|harness/.test(text)
  const isPlain = !opensStore && !path.startsWith('test/') && !/cli-process|testBrowser/.test(text)
  const waits = WAITING.some((start) => path.startsWith(start))
  return { path, kind: waits ? 'waiting' : isPlain ? 'plain' : 'whole', opensStore }
}
