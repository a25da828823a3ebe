import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PostgresPair } from '../../test/faults/schedule/postgres-pair.ts'
import { freePort } from '../../test/server-process.ts'
import { environmentWithoutSettings, startProgram } from '../../test/start-program.ts'
import { until } from '../../test/until.ts'
import { startArguments } from '../start-arguments.ts'

export const KEY = 'scalingscalingscalingscalingscalingscali'
const root = join(import.meta.dirname, '../..')
const START_MS = 180_000
/** Compiled once, whatever changes meanwhile. */
const command = startArguments()

/** A process of the installation. */
export interface Started {
  readonly process: ChildProcess
  readonly baseUrl: string
}

/** Starts a process on a database of the server, without detection, and waits until it is healthy. */
export async function startProcess(
  pair: PostgresPair,
  database: string,
  flags: readonly string[],
): Promise<Started> {
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${pair.port}/${database}`
  const fixed = [
    '--port',
    String(port),
    '--database-url',
    url,
    '--log-level',
    'error',
    '--crawls-at-once',
    '0',
  ]
  const [program, ...args] = await command
  const child = startProgram(join(root, program!), [...args, ...fixed, ...flags], {
    env: { ...environmentWithoutSettings(), VIGIL_API_KEY: KEY, VIGIL_THREAT_DETECTION: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const baseUrl = `http://127.0.0.1:${port}`
  await until(
    'the process is healthy',
    () =>
      fetch(`${baseUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { ms: START_MS },
  )
  return { process: child, baseUrl }
}

export async function stopAll(started: readonly Started[]): Promise<void> {
  await Promise.all(
    started.map(async ({ process }) => {
      const ended = once(process, 'exit')
      process.kill('SIGTERM')
      await ended
    }),
  )
}
