import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** How often processes are looked at. */
const LOOK_MS = 10

/** The crawling process of a server; null while there is none. */
export function workerOf(server: number): number | null {
  return workersOf(server)[0] ?? null
}

/** All crawling processes of a server. */
export function workersOf(server: number): number[] {
  return childrenOf(server).filter((child) => commandOf(child).includes('crawl-worker'))
}

/** The browser of a crawling process; null while there is none. */
export function browserOfWorker(worker: number): number | null {
  return childrenOf(worker).find((child) => commandOf(child).includes('--remote-debugging-pipe')) ?? null
}

/** The browser of a server's crawling process; null while there is none. */
export function browserOf(server: number): number | null {
  const worker = workerOf(server)
  return worker === null ? null : browserOfWorker(worker)
}

/** A process with all below it. */
export function treeOf(processId: number): number[] {
  return [processId, ...childrenOf(processId).flatMap(treeOf)]
}

/** Whether a process runs: one that ended and was not yet taken notice of does not. */
export function isAlive(processId: number | null): boolean {
  const stat = processId === null ? '' : textOf(`/proc/${processId}/stat`)
  return stat !== '' && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
}

/** Milliseconds of `performance.now()` since a moment until none of some processes runs; null when patience ends. */
export async function goneAfter(
  processIds: readonly number[],
  sinceMs: number,
  patienceMs = 10_000,
): Promise<number | null> {
  for (;;) {
    const now = performance.now()
    if (!processIds.some(isAlive)) return Math.round(now - sinceMs)
    if (now - sinceMs > patienceMs) return null
    await pause(LOOK_MS)
  }
}

/** Child processes, whichever thread started them (Linux only). */
function childrenOf(parent: number): number[] {
  let threads: string[] = []
  try {
    threads = readdirSync(`/proc/${parent}/task`)
  } catch {
    // It ended between two looks.
  }
  return threads.flatMap((thread) =>
    textOf(`/proc/${parent}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
}

function commandOf(processId: number): string {
  return textOf(`/proc/${processId}/cmdline`)
}

/** What the system tells of a process; '' of one that ended between two looks. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
