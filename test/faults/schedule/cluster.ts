import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestBroker } from '../../brokers/broker.ts'
import { startKafkaServer } from '../../brokers/kafka-server.ts'
import { startNatsServer } from '../../brokers/nats-server.ts'
import { installationAt } from '../../server-process.ts'
import type { Installation } from '../../use-vigil.ts'
import { ReplayedDisk, readRecording } from '../replayed-disk.ts'
import type { Shape } from './plan.ts'
import { PostgresPair } from './postgres-pair.ts'
import type { Random } from './random.ts'
import { SmallDisk } from './small-disk.ts'
import { surroundings } from './surroundings.ts'
import { KEY, VigilProcess } from './vigil-process.ts'

export const TOPIC = 'akto.api.logs'
const RECORDER = new URL('../record-files.ts', import.meta.url).href

/** Processes of an installation on PostgreSQL: as many as divide each kind of work. */
const ROLES = { one: 'serve,worker', two: 'ingest', three: 'ingest', four: 'worker' }

/** An installation of several processes with its database and its broker. */
export interface Cluster {
  readonly shape: Shape
  readonly processes: readonly VigilProcess[]
  readonly pair: PostgresPair | null
  readonly broker: TestBroker | null
  /** Where the store is; null where this machine lets nobody mount one. */
  readonly disk: SmallDisk | null
  /** The process that answers the dashboard's operations. */
  readonly vigil: Installation
  process(name: string): VigilProcess
  /** From now on the disk of the embedded store is recorded, so that its power can fail. */
  recordDisk(): Promise<void>
  /** Ends the process and leaves its disk as it is found after a power failure; a copy of what is certain, or of more. */
  losePower(random: Random): Promise<void>
  stop(): Promise<void>
}

/** What to start. */
export interface ClusterKind {
  readonly store: 'embedded' | 'postgres'
  readonly broker: 'none' | 'nats' | 'kafka'
}

/** @throws NotRun when something that it needs is missing or does not start */
export async function startCluster({ store, broker: kind }: ClusterKind): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-schedules-'))
  const stops: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const end of stops.reverse()) await end()
  }
  const disk = SmallDisk.mount()
  if (disk !== null) stops.push(async () => disk.unmount())
  try {
    const broker = kind === 'none' ? null : await surroundings('the broker', () => startBroker(kind))
    if (broker !== null) stops.push(() => broker.stop())
    const pair = store === 'postgres' ? await surroundings('PostgreSQL', () => startPair(disk)) : null
    if (pair !== null) stops.push(() => pair.stop())
    const roles = store === 'postgres' ? ROLES : { one: 'serve,ingest,worker,crawler' }
    const processes: VigilProcess[] = []
    for (const [name, role] of Object.entries(roles)) {
      const one = await VigilProcess.at({
        name,
        roles: role,
        folder,
        dataDir: join((store === 'embedded' ? disk?.folder : null) ?? folder, name),
        flags: ['--log-level', 'warn', '--crawls-at-once', '0', '--detection-threads', '1'],
        databasePort: pair?.port ?? null,
        broker: kind === 'none' || broker === null ? null : { kind, port: broker.port, topic: TOPIC },
      })
      stops.push(() => one.stop())
      processes.push(one)
      // The first one makes the tables; the others find them.
      await surroundings('an undisturbed installation', () => one.start())
    }
    return clusterOf({ folder, processes, pair, broker, disk, kind: { store, broker: kind }, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

async function startBroker(kind: 'nats' | 'kafka'): Promise<TestBroker> {
  const broker = await (kind === 'nats' ? startNatsServer() : startKafkaServer())
  if (broker === null) throw new Error(`this machine does not have the program of ${kind}`)
  await broker.prepare(TOPIC)
  return broker
}

async function startPair(disk: SmallDisk | null): Promise<PostgresPair> {
  const pair = await PostgresPair.start(disk === null ? {} : { dataParent: disk.folder })
  if (pair === null) throw new Error('this machine does not have the programs of a PostgreSQL server')
  await pair.query('CREATE DATABASE vigil')
  return pair
}

interface Parts {
  readonly folder: string
  readonly processes: readonly VigilProcess[]
  readonly pair: PostgresPair | null
  readonly broker: TestBroker | null
  readonly disk: SmallDisk | null
  readonly kind: ClusterKind
  readonly stop: () => Promise<void>
}

function clusterOf({ folder, processes, pair, broker, disk, kind, stop }: Parts): Cluster {
  const [first] = processes
  const before = join(folder, 'disk-before')
  const recording = join(folder, 'recording')
  return {
    shape: {
      ...kind,
      hasSmallDisk: disk !== null,
      processes: processes.map(({ name, takesTraffic }) => ({ name, takesTraffic })),
    },
    processes,
    pair,
    broker,
    disk,
    vigil: installationAt(`http://127.0.0.1:${first!.port}`, KEY),
    process: (name) => processes.find((one) => one.name === name)!,
    async recordDisk() {
      await first!.end()
      rmSync(recording, { force: true })
      rmSync(before, { recursive: true, force: true })
      cpSync(first!.dataDir, before, { recursive: true })
      first!.preload = {
        module: RECORDER,
        env: { RECORDED_FOLDER: first!.dataDir, RECORDING: recording },
      }
      await surroundings('an undisturbed installation', () => first!.start())
    },
    async losePower(random) {
      await first!.kill()
      const disk = new ReplayedDisk(before)
      for (const { step, data } of readRecording(recording)) disk.play(step, data)
      rmSync(first!.dataDir, { recursive: true, force: true })
      mkdirSync(first!.dataDir, { mode: 0o700 })
      disk.copyTo(first!.dataDir, random.of(['none', 'some', 'all'] as const), () => random.number())
      rmSync(recording, { force: true })
      rmSync(before, { recursive: true, force: true })
      cpSync(first!.dataDir, before, { recursive: true })
    },
    stop,
  }
}
