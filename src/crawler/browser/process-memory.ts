import { readFile } from 'node:fs/promises'

/**
 * Memory of a process and all below it, in bytes: what they share is counted once (proportional set size of Linux). 0
 * where the system does not tell.
 */
export async function memoryOfTree(root: number): Promise<number> {
  let bytes = 0
  const waiting = [root]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    bytes += await memoryOf(pid)
    waiting.push(...(await childrenOf(pid)))
  }
  return bytes
}

async function memoryOf(pid: number): Promise<number> {
  const text = await readOrNothing(`/proc/${pid}/smaps_rollup`)
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readOrNothing(`/proc/${pid}/task/${pid}/children`)
  return text.split(' ').filter(Boolean).map(Number)
}

/** A process may end while it is looked at, and belong to somebody who may not be looked at. */
async function readOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}
