import { defineConfig } from 'vitest/config'
import { testFiles } from './scripts/test-files.ts'

const files = testFiles(new URL('.', import.meta.url).pathname)
const pathsOf = (isPlain: boolean): string[] =>
  files.filter((file) => file.isPlain === isPlain).map(({ path }) => path)

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A machine may be busy with other things; a condition that holds at once costs no more for it.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      // One process for many files: starting one and compiling the product costs more than most of them.
      { extends: true, test: { name: 'plain', include: pathsOf(true), isolate: false } },
      { extends: true, test: { name: 'whole', include: pathsOf(false) } },
    ],
  },
})
