/**
 * `npm run demo`: a server with a fresh store, a weak market on this machine, its recorded traffic, and a test run with
 * the whole library, until Ctrl-C.
 *
 *   npm run demo -- [--data-dir FOLDER] [--port 9090] [--once]
 *
 * `--data-dir` keeps the store; `--once` ends after the run, with code 1 when it found nothing.
 */
import { parseArgs } from 'node:util'
import { startDemo } from './start-demo.ts'

const { values } = parseArgs({
  options: { 'data-dir': { type: 'string' }, port: { type: 'string' }, once: { type: 'boolean' } },
})
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())
try {
  const found = await startDemo({
    dataDir: values['data-dir'] ?? null,
    port: Number(values.port ?? 9090),
    isOnce: values.once ?? false,
    say: (line) => console.log(line),
    signal: ending.signal,
  })
  process.exitCode = values.once && found === 0 ? 1 : 0
} catch (error) {
  if (!ending.signal.aborted) {
    console.error(`demo: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
