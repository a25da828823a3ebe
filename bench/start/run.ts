/**
 * Time from the start of the process to a healthy server, on new data folders and on an existing one, and the memory
 * it holds: the peak of the start, and what is resident when nothing was asked for a while.
 *
 *   node bench/start/run.ts [--starts 10] [--idle 30]
 *
 * With VIGIL_DATABASE_URL set the server uses that PostgreSQL database, and all starts find an existing store but the
 * first.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startArguments } from '../start-arguments.ts'

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '10' },
    idle: { type: 'string', default: '30' },
    port: { type: 'string', default: '19290' },
  },
})
const STARTS = Number(values.starts)
const ADDRESS = `http://127.0.0.1:${values.port}`
const PATIENCE_MS = 60_000
const root = new URL('../..', import.meta.url).pathname

interface Start {
  process: ChildProcess
  healthyMs: number
  cpuMs: number
}

/** A figure of a process in megabytes (proc(5)). */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
}

/** CPU time of a process with the children that it waited for, in milliseconds; the clock ticks 100 times a second. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) * 10
}

async function start(dataDir: string): Promise<Start> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, await startArguments(), {
    cwd: root,
    env: { ...process.env, VIGIL_PORT: values.port, VIGIL_LOG_LEVEL: 'error', VIGIL_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (performance.now() - startedMs < PATIENCE_MS) {
    if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}`)
    const isHealthy = await fetch(`${ADDRESS}/health`).then(
      (answer) => answer.ok,
      () => false, // not listening yet
    )
    if (isHealthy) {
      return { process: child, healthyMs: performance.now() - startedMs, cpuMs: cpuOf(child.pid!) }
    }
    await wait(10)
  }
  throw new Error(`the server was not healthy within ${PATIENCE_MS / 1000} s`)
}

async function stop({ process: child }: Start): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function printTimes(what: string, starts: readonly Start[]): void {
  const sorted = (pick: (one: Start) => number): number[] => starts.map(pick).sort((a, b) => a - b)
  const wall = sorted((one) => one.healthyMs)
  const cpu = sorted((one) => one.cpuMs)
  const middle = Math.floor(starts.length / 2)
  console.log(
    `${what.padEnd(16)} healthy after: median ${Math.round(wall[middle]!)} ms, worst ${Math.round(wall.at(-1)!)} ms; ` +
      `CPU median ${cpu[middle]} ms (${starts.length} starts)`,
  )
}

const scratch = mkdtempSync(join(tmpdir(), 'vigil-start-'))
try {
  const onNew: Start[] = []
  for (let i = 0; i < STARTS; i++) {
    const one = await start(join(scratch, `new-${i}`))
    onNew.push(one)
    await stop(one)
    if (i > 0) rmSync(join(scratch, `new-${i}`), { recursive: true, force: true })
  }
  printTimes('new store', onNew)
  const onExisting: Start[] = []
  for (let i = 0; i < STARTS; i++) {
    const one = await start(join(scratch, 'new-0'))
    onExisting.push(one)
    if (i < STARTS - 1) await stop(one)
  }
  printTimes('existing store', onExisting)
  const last = onExisting.at(-1)!
  await wait(Number(values.idle) * 1000)
  console.log(
    `memory: resident after ${values.idle} s idle ${memoryOf(last.process.pid!, 'VmRSS')} MB, ` +
      `peak ${memoryOf(last.process.pid!, 'VmHWM')} MB`,
  )
  await stop(last)
  console.log(`load of the machine: ${loadavg()[0]!.toFixed(1)} over the last minute`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
