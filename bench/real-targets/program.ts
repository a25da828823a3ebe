/**
 * Programs of a target, started with nothing of this process's environment but what they need.
 */
import { spawn, spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A program that runs. */
export interface StartedProgram {
  stop(): Promise<void>
}

export interface Start {
  readonly command: string
  readonly args: readonly string[]
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  /** Gets what it prints. */
  readonly log: string
  /** The program is ready when this answers, with whatever status. */
  readonly ready: string
}

const START_MS = 600_000
const STOP_MS = 10_000
const POLL_MS = 250

/**
 * Lets a command see everything but write below one folder only: what a target writes for anybody must not reach the files
 * of this machine. An ordinary user has no rights to them in any case.
 */
function confined(command: string, args: readonly string[], writable: string): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, [...args]]
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0)
    throw new Error('as root, targets need unshare(1) with mount namespaces; or run this as an ordinary user')
  return ['unshare', ['--mount', 'sh', '-ec', CONFINE, 'sh', writable, command, ...args]]
}

const CONFINE = `
folder="$PWD"
mount --make-rprivate /
mount --bind "$1" "$1"
awk '{ print $2 }' /proc/self/mounts | grep -vE '^/(proc|sys|dev)(/|$)' | while read -r place; do
  if [ "$place" != "$1" ] && [ "$place" != / ]; then mount -o remount,bind,ro "$place" || true; fi
done
mount -o remount,bind,ro /
shift
cd "$folder"
exec "$@"
`

/** @throws Error when it ends, or does not answer, before it is ready */
export async function startProgram({
  command,
  args,
  folder,
  env,
  log,
  ready,
}: Start): Promise<StartedProgram> {
  const output = openSync(log, 'a')
  const [program, words] = confined(command, args, dirname(log))
  const child = spawn(program, words, {
    cwd: folder,
    // A target may show its environment to anybody.
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: dirname(log), LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', output, output],
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The whole group has ended.
    }
  }
  const killOnExit = (): void => signal('SIGKILL')
  process.once('exit', killOnExit)
  const stop = async (): Promise<void> => {
    signal('SIGTERM')
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })])
    signal('SIGKILL')
    process.off('exit', killOnExit)
  }
  for (const end = Date.now() + START_MS; ; ) {
    if (failure !== undefined) throw failure
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}; see ${log}`)
    if (await answers(ready)) return { stop }
    if (Date.now() > end) {
      await stop()
      throw new Error(`${ready} does not answer after ${START_MS / 1000} s; see ${log}`)
    }
    await pause(POLL_MS)
  }
}

/** Runs a command to its end, such as one that makes the tables. */
export async function runCommand(start: Omit<Start, 'ready'>): Promise<void> {
  const output = openSync(start.log, 'a')
  const child = spawn(start.command, start.args, {
    cwd: start.folder,
    env: { PATH: process.env['PATH'], HOME: start.folder, LANG: 'C.UTF-8', ...start.env },
    stdio: ['ignore', output, output],
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${start.command} ended with ${code}; see ${start.log}`)
}

async function answers(address: string): Promise<boolean> {
  try {
    await (await fetch(address, { redirect: 'manual' })).arrayBuffer()
    return true
  } catch {
    return false
  }
}
