import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of tests. */
export interface TestFile {
  /** From the root of the repository. */
  readonly path: string
  /** Its text shows that it opens a store or a server. */
  readonly opensStore: boolean
  /** It tests plain code: it starts no store, server, process of the product or browser. */
  readonly isPlain: boolean
}

/** All files of tests below `root`, by path. */
export function testFiles(root: string): TestFile[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => {
        const text = readFileSync(file, 'utf8')
        const opensStore = /store-fixture|harness/.test(text)
        const startsMore = folder === 'test' || /cli-process|testBrowser/.test(text)
        return { path: file.slice(root.length), opensStore, isPlain: !opensStore && !startsMore }
      }),
  )
}
