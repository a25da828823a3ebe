import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Load } from './load.ts'
import type { FaultKind, PlannedFault } from './plan.ts'
import { signalAll } from './processes.ts'
import type { Random } from './random.ts'
import { surroundings } from './surroundings.ts'
import type { VigilProcess } from './vigil-process.ts'

/** By how much a clock is moved, either way: less than redeliveries are remembered, more than any lease lasts. */
const CLOCK_MS = [20_000, 240_000] as const
const LATENCY_MS = [20, 250] as const

/** Faults that may last while others come and go. */
const BESIDE: readonly FaultKind[] = ['clock-moved', 'slow-database', 'sent-twice', 'out-of-order']

/** What a schedule meets. */
export interface Scene {
  readonly cluster: Cluster
  readonly load: Load
  readonly random: Random
}

/** Breaks what a plan says at its times, and mends each; ends when the last one is mended. */
export async function carryOut(scene: Scene, plan: readonly PlannedFault[]): Promise<void> {
  const started = performance.now()
  /** One fault after another for each process, and for what all share; beside them those that end nothing. */
  const lines = new Map<string, Promise<void>>()
  for (const fault of plan) {
    const line = BESIDE.includes(fault.kind) ? 'beside' : (fault.process ?? 'shared')
    const before = lines.get(line) ?? Promise.resolve()
    const next = before.then(async () => {
      await sleep(Math.max(0, fault.atMs - (performance.now() - started)))
      if (fault.meetsTraffic) await scene.load.awaitTaken()
      await meet(scene, fault)
    })
    lines.set(line, next)
    // What comes after a fault that could not be carried out tells nothing.
    next.catch(() => scene.load.abort())
  }
  // A fault that fails must not leave others under way: they would start processes after the installation is stopped.
  for (const line of await Promise.allSettled(lines.values()))
    if (line.status === 'rejected') throw line.reason
}

function isOfTheLoad({ kind }: PlannedFault): boolean {
  return kind === 'sent-twice' || kind === 'out-of-order'
}

function meet(scene: Scene, fault: PlannedFault): Promise<void> {
  if (isOfTheLoad(fault)) return meetLoad(scene.load, fault)
  return fault.process === null
    ? meetShared(scene.cluster, fault)
    : meetProcess(scene, scene.cluster.process(fault.process), fault)
}

async function meetLoad(load: Load, { kind, forMs }: PlannedFault): Promise<void> {
  load.manner = kind === 'sent-twice' ? 'twice' : 'out of order'
  await sleep(forMs)
  load.manner = 'plain'
}

async function meetProcess(
  { cluster, random }: Scene,
  one: VigilProcess,
  { kind, forMs }: PlannedFault,
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
    case 'clock-moved':
      one.moveClock(Math.round(random.between(...CLOCK_MS)) * random.of([-1, 1]))
      await sleep(forMs)
      return one.moveClock(0)
    case 'disk-full':
      return meetDisk(cluster, forMs)
    case 'slow-database':
      one.database!.delay(random.between(...LATENCY_MS))
      await sleep(forMs)
      return one.database!.delay(0)
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

async function meetDisk({ disk, pair }: Cluster, forMs: number): Promise<void> {
  disk!.fill()
  await sleep(forMs)
  disk!.free()
  // A server that cannot write its log ends.
  await surroundings('PostgreSQL after its disk was full', () => pair?.reviveEnded())
}

async function meetShared(cluster: Cluster, { kind, forMs }: PlannedFault): Promise<void> {
  const pair = cluster.pair!
  const broker = cluster.broker!
  switch (kind) {
    case 'database-crash':
      await pair.crash()
      await sleep(forMs)
      return surroundings('PostgreSQL after a crash', () => pair.revive())
    case 'database-pause':
      pair.pause()
      await sleep(forMs)
      return pair.resume()
    case 'database-connections':
      await pair.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'vigil'`)
      return
    case 'disk-full':
      return meetDisk(cluster, forMs)
    case 'fail-over':
      await surroundings('the standby of PostgreSQL', () => pair.failOver())
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
      return surroundings('the broker after a kill', () => broker.revive())
    default:
      signalAll([broker.pid], 'SIGSTOP')
      await sleep(forMs)
      return signalAll([broker.pid], 'SIGCONT')
  }
}
