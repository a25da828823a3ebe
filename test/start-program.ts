import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LIFELINE = fileURLToPath(new URL('under-lifeline.ts', import.meta.url))

/** Programs that run, each with a promise of its end. */
const running = new Map<ChildProcess, Promise<void>>()

/** Where the three standard streams of a program lead. */
type Streams = readonly ['ignore' | 'pipe', 'ignore' | 'pipe', 'pipe' | 'inherit']

/**
 * Starts a program of this repository in a separate process. It ends with this process: a test that fails or takes too
 * long leaves nothing running when its file ends, and neither does a runner that is killed.
 *
 * @param program file of the program
 * @param options environment, folder, streams; `detached` keeps signals of the terminal from it; `nodeFlags` of Node.js
 */
export function startProgram(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'detached' | 'env'> & {
    readonly stdio: Streams
    readonly nodeFlags?: readonly string[]
  },
): ChildProcess {
  const { nodeFlags = [], ...others } = options
  const stdio = [...options.stdio, 'pipe' as const]
  const child = spawn(process.execPath, [...nodeFlags, LIFELINE, program, ...args], { ...others, stdio })
  running.set(
    child,
    new Promise((resolve) => {
      const gone = (): void => {
        running.delete(child)
        resolve()
      }
      child.once('error', gone)
      child.once('exit', gone)
    }),
  )
  return child
}

/** Kills what {@link startProgram} started and nobody has ended; for the end of a file of tests, before stores go away. */
export async function killPrograms(): Promise<void> {
  const left = [...running]
  for (const [child] of left) child.kill('SIGKILL')
  await Promise.all(left.map(([, ended]) => ended))
}

/** The environment of this process without any setting. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VIGIL_')))
}
