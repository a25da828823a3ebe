import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { PlannedFault } from './plan.ts'
import { signalAll } from './processes.ts'
import type { Random } from './random.ts'
import type { VigilProcess } from './vigil-process.ts'

/** Breaks what a plan says at its times, and mends each; ends when the last one is mended. */
export async function carryOut(
  cluster: Cluster,
  plan: readonly PlannedFault[],
  random: Random,
): Promise<void> {
  const started = performance.now()
  /** One fault after another for each process, and for what all share. */
  const lines = new Map<string, Promise<void>>()
  for (const fault of plan) {
    const line = fault.process ?? 'shared'
    const before = lines.get(line) ?? Promise.resolve()
    const next = before.then(async () => {
      await sleep(Math.max(0, fault.atMs - (performance.now() - started)))
      await meet(cluster, fault, random)
    })
    lines.set(line, next)
  }
  // A fault that fails must not leave others under way: they would start processes after the installation is stopped.
  for (const line of await Promise.allSettled(lines.values()))
    if (line.status === 'rejected') throw line.reason
}

function meet(cluster: Cluster, fault: PlannedFault, random: Random): Promise<void> {
  return fault.process === null
    ? meetShared(cluster, fault)
    : meetProcess(cluster, cluster.process(fault.process), fault, random)
}

async function meetProcess(
  cluster: Cluster,
  one: VigilProcess,
  { kind, forMs }: PlannedFault,
  random: Random,
): Promise<void> {
  switch (kind) {
    case 'kill':
      await one.kill()
      await sleep(forMs)
      return one.start()
    case 'end':
      if (!(await one.end())) one.unexpectedEnds.push(`${one.name} did not end within 30 s of SIGTERM`)
      await sleep(forMs)
      return one.start()
    case 'power-loss':
      await cluster.losePower(random)
      return one.start()
    case 'pause':
      one.pause()
      await sleep(forMs)
      return one.resume()
    default: {
      const way = kind.endsWith('clients')
        ? one.clients
        : kind.endsWith('broker')
          ? one.broker!
          : one.database!
      if (kind.startsWith('lose')) way.hold()
      else await way.cut()
      await sleep(forMs)
      return way.restore()
    }
  }
}

async function meetShared(cluster: Cluster, { kind, forMs }: PlannedFault): Promise<void> {
  const pair = cluster.pair!
  const broker = cluster.broker!
  switch (kind) {
    case 'database-crash':
      await pair.crash()
      await sleep(forMs)
      return pair.revive()
    case 'database-pause':
      pair.pause()
      await sleep(forMs)
      return pair.resume()
    case 'database-connections':
      await pair.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'vigil'`)
      return
    case 'fail-over':
      await pair.failOver()
      for (const { database } of cluster.processes) {
        // As a virtual address that moves: what is open breaks, what is new leads to the new server.
        await database!.cut()
        database!.lead(pair.port)
        await database!.restore()
      }
      return
    case 'broker-kill':
      await broker.kill()
      await sleep(forMs)
      return broker.revive()
    default:
      signalAll([broker.pid], 'SIGSTOP')
      await sleep(forMs)
      return signalAll([broker.pid], 'SIGCONT')
  }
}
