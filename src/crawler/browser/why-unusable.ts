import { Failure } from '../../kit/index.ts'
import type { ProgramEnd } from './browser-process.ts'

/**
 * Why a browser did not start, by how its program ended: BROWSER_GONE when somebody killed it, so that it may be tried
 * again at once, else BROWSER_UNUSABLE with what it said.
 */
export function whyUnusable(path: string, { code, signal, error, said }: ProgramEnd): Failure {
  if (signal === 'SIGKILL') return new Failure('BROWSER_GONE', { call: 'launch' })
  const how = error?.message ?? `it ended at once (${signal ?? `exit code ${code}`})`
  return new Failure(
    'BROWSER_UNUSABLE',
    { path, reason: reasonIn(said, how) },
    error === null ? {} : { cause: error },
  )
}

function reasonIn(said: string, how: string): string {
  if (/no usable sandbox|sandbox_host|setuid sandbox/i.test(said))
    return 'its sandbox cannot start; allow unprivileged user namespaces on this machine (sysctl kernel.unprivileged_userns_clone=1)'
  const missing = /shared libraries: ([^:\s]+)/.exec(said)?.[1]
  if (missing !== undefined) return `the system lacks ${missing}`
  const fatal = said.split('\n').find((line) => /FATAL|error/i.test(line))
  return (fatal ?? how).trim().slice(0, 300)
}
