import { defineConfig } from 'vitest/config'
import { MARATHON, RARE_PROGRAM, type TestKind, testFiles } from './scripts/test-files.ts'

const files = testFiles(new URL('.', import.meta.url).pathname)

/** One group of files; the groups run one after the other. */
function group(name: TestKind, groupOrder: number, maxWorkers: number) {
  const include = files.filter(({ kind }) => kind === name).map(({ path }) => path)
  return { extends: true as const, test: { name, include, maxWorkers, sequence: { groupOrder } } }
}

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // One process for many files: starting one and loading the product costs more than most files.
    isolate: false,
    // Node.js itself loads the sources, as in production, and keeps what it compiled (NODE_COMPILE_CACHE). It reads no
    // .tsx: what tests need of the dashboard stands in .ts files.
    experimental: { viteModuleRunner: false },
    // Stores and threads come and go within one process here. Where processors have memory protection keys, V8 guards its
    // code with them, and what frees code of WebAssembly may fail it (nodejs/node issue 64500); without the keys, too, V8
    // may end the process when it frees code that a better version replaced. So none is freed while its module lives.
    execArgv: ['--no-memory-protection-keys', '--no-wasm-code-gc'],
    setupFiles: ['test/cheap-hashes.ts'],
    // Concurrent tests wait for their targets most of the time.
    maxConcurrency: 10,
    // A machine may be busy with other things; what is done at once costs no more for it. So tests name no shorter limits.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    tags: [
      { name: MARATHON, description: 'slow, and seldom the first to find a fault: `npm run test:all` only' },
      { name: RARE_PROGRAM, description: 'needs a program that no package of Debian brings' },
    ],
    projects: [group('plain', 0, 2), group('product', 1, 3), group('waiting', 2, 2)],
  },
})
