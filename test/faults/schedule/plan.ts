import { Random } from './random.ts'

/** What happens to one process of Vigil. */
const OF_A_PROCESS = ['kill', 'end', 'pause', 'lose-clients', 'cut-clients'] as const
const OF_ITS_DATABASE = ['lose-database', 'cut-database'] as const
const OF_ITS_BROKER = ['lose-broker', 'cut-broker'] as const
const OF_THE_DATABASE = ['database-crash', 'database-pause', 'database-connections', 'fail-over'] as const
const OF_THE_BROKER = ['broker-kill', 'broker-pause'] as const
/** What kills and cuts nothing off. */
const OF_ITS_SURROUNDINGS = ['clock-moved', 'slow-database'] as const
const OF_THE_LOAD = ['sent-twice', 'out-of-order'] as const

export type FaultKind =
  | (typeof OF_A_PROCESS)[number]
  | (typeof OF_ITS_DATABASE)[number]
  | (typeof OF_ITS_BROKER)[number]
  | (typeof OF_THE_DATABASE)[number]
  | (typeof OF_THE_BROKER)[number]
  | (typeof OF_ITS_SURROUNDINGS)[number]
  | (typeof OF_THE_LOAD)[number]
  | 'power-loss'
  | 'disk-full'

/** One fault: when it comes, whom it meets, and how long it lasts before it is mended. */
export interface PlannedFault {
  readonly atMs: number
  readonly kind: FaultKind
  /** Name of a process; null for the database, the broker or the load. */
  readonly process: string | null
  readonly forMs: number
  /** Whether it waits until traffic is taken again after the fault before it: on a slow machine it meets a start else. */
  readonly meetsTraffic: boolean
}

/** What there is to break. */
export interface Shape {
  readonly store: 'embedded' | 'postgres'
  readonly broker: 'none' | 'nats' | 'kafka'
  /** Whether its store is on a disk that can be full. */
  readonly hasSmallDisk: boolean
  readonly processes: readonly { readonly name: string; readonly takesTraffic: boolean }[]
}

/** Faults begin within this time; the load ends when the last one is mended. */
export const FAULTS_WITHIN_MS = 12_000
const FEWEST = 4
const MOST = 7
const SHORT_MS = [100, 2500] as const
/** Longer than a broker waits for an acknowledgement before it delivers a message to another process. */
const LONG_MS = [10_500, 13_000] as const
const SHARE_OF_LONG = 0.2
const DISTURBANCE_MS = [2000, 8000] as const
const DISTURBANCES_FROM = 1_000_000

/** The faults of a seed, in the order of their time. */
export function planOf(seed: number, shape: Shape): PlannedFault[] {
  const random = new Random(seed)
  const kinds = kindsOf(shape)
  const count = FEWEST + Math.floor(random.number() * (MOST - FEWEST + 1))
  const faults = Array.from({ length: count }, (): PlannedFault => {
    const kind = random.of(random.of(kinds))
    const atMs = Math.round(random.between(500, FAULTS_WITHIN_MS))
    const isLong = (kind === 'pause' || kind === 'lose-clients') && random.number() < SHARE_OF_LONG
    const forMs = Math.round(isLong ? random.between(...LONG_MS) : random.between(...SHORT_MS))
    return { atMs, kind, process: whom(kind, shape, random), forMs, meetsTraffic: atMs % 2 === 0 }
  })
  return onceEach([...faults, disturbanceOf(seed, shape)]).sort((a, b) => a.atMs - b.atMs)
}

/** What a seed meets beside the faults that kill and cut: drawn separately, so that those stay what they are. */
function disturbanceOf(seed: number, shape: Shape): PlannedFault {
  const random = new Random(seed + DISTURBANCES_FROM)
  const kinds: FaultKind[] = ['clock-moved', ...OF_THE_LOAD]
  if (shape.store === 'postgres') kinds.push('slow-database')
  if (shape.hasSmallDisk) kinds.push('disk-full')
  const kind = random.of(kinds)
  const atMs = Math.round(random.between(500, FAULTS_WITHIN_MS / 2))
  const forMs = Math.round(random.between(...DISTURBANCE_MS))
  return { atMs, kind, process: whom(kind, shape, random), forMs, meetsTraffic: true }
}

/** Groups of kinds: each group is as likely as another. */
function kindsOf({ store, broker }: Shape): (readonly FaultKind[])[] {
  const groups: (readonly FaultKind[])[] = [OF_A_PROCESS, ['kill']]
  if (store === 'postgres') groups.push(OF_ITS_DATABASE, OF_THE_DATABASE)
  else groups.push(['power-loss'])
  if (broker !== 'none') groups.push(OF_THE_BROKER)
  if (broker === 'nats') groups.push(OF_ITS_BROKER)
  return groups
}

function whom(kind: FaultKind, { store, processes }: Shape, random: Random): string | null {
  const isIn = (list: readonly FaultKind[]): boolean => list.includes(kind)
  if (isIn(OF_THE_DATABASE) || isIn(OF_THE_BROKER) || isIn(OF_THE_LOAD)) return null
  // The disk of the embedded store is that of its process, and is changed when its power fails.
  if (kind === 'disk-full' && store === 'postgres') return null
  const needsTraffic = kind === 'lose-clients' || kind === 'cut-clients' || isIn(OF_ITS_BROKER)
  return random.of(processes.filter(({ takesTraffic }) => takesTraffic || !needsTraffic)).name
}

/** One fail-over at most: the next one needs a new standby first. */
function onceEach(faults: readonly PlannedFault[]): PlannedFault[] {
  const first = faults.find(({ kind }) => kind === 'fail-over')
  return faults.filter((fault) => fault.kind !== 'fail-over' || fault === first)
}

/** A fault in words. */
export function inWords({ atMs, kind, process, forMs }: PlannedFault): string {
  return `${(atMs / 1000).toFixed(1)} s ${kind}${process === null ? '' : ` ${process}`} for ${(forMs / 1000).toFixed(1)} s`
}
