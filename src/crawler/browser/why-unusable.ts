import { spawn } from 'node:child_process'
import { Failure } from '../../kit/index.ts'

const ASK_MS = 5_000
const KEPT = 8_000

/** How a browser was started that did not come up. */
export interface FailedLaunch {
  readonly path: string
  readonly flags: readonly string[]
  readonly profile: string
  readonly environment: NodeJS.ProcessEnv
  /** What the library threw. */
  readonly error: unknown
}

/**
 * Why a browser did not start, as BROWSER_UNUSABLE. Over a pipe the library hears only that the other end is gone, so
 * the program is started once more for what it says by itself.
 */
export async function whyUnusable({
  path,
  flags,
  profile,
  environment,
  error,
}: FailedLaunch): Promise<Failure> {
  const thrown = error instanceof Error ? error.message : String(error)
  const said = await lastWordsOf(path, [`--user-data-dir=${profile}`, '--dump-dom', ...flags], environment)
  return new Failure('BROWSER_UNUSABLE', { path, reason: reasonIn(said, thrown) }, { cause: error })
}

function reasonIn(said: string, thrown: string): string {
  if (/no usable sandbox|sandbox_host|setuid sandbox/i.test(said))
    return 'its sandbox cannot start; allow unprivileged user namespaces on this machine (sysctl kernel.unprivileged_userns_clone=1)'
  const missing = /shared libraries: ([^:\s]+)/.exec(said)?.[1]
  if (missing !== undefined) return `the system lacks ${missing}`
  const fatal = said.split('\n').find((line) => /FATAL|error/i.test(line))
  return (fatal ?? thrown.split('\n')[0] ?? '').trim().slice(0, 300)
}

/** The end of what a program writes to its standard error; '' when it cannot be started or works. */
function lastWordsOf(path: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(path, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let text = ''
    const ended = (code: number | null): void => {
      clearTimeout(timer)
      resolve(code === 0 ? '' : text)
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      ended(null)
    }, ASK_MS)
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-KEPT)
    })
    child.once('error', () => ended(null))
    child.once('close', (code) => ended(code))
  })
}
