/**
 * What each fast path of the engine is worth: the same messages through engines that leave out one of them, or have it
 * alone, in turn, each on its own embedded store. Prints CPU microseconds a message of the engine's thread, which other
 * work on the machine hardly changes, for messages whose endpoints are known.
 *
 *   node bench/ingest/fast-paths.ts [--messages 10000] [--rounds 5] [--batch 500]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { InventoryEngine } from '../../src/inventory/engine/engine.ts'
import { FAST_PATHS } from '../../src/inventory/engine/fast-paths/index.ts'
import { type FastPaths, NO_FAST_PATHS } from '../../src/inventory/engine/values/index.ts'
import { openStore } from '../../src/store/owner.ts'
import { MessageSource } from './messages.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    batch: { type: 'string', default: '500' },
  },
})
const MESSAGES = Number(values.messages)
const ROUNDS = Number(values.rounds)
const BATCH = Number(values.batch)
/** Until places have shapes and rows, and values are judged only now and then. */
const WARM_UP = 20_000

const { learnBody, learnHeaders, countCall, noteCall } = FAST_PATHS
const BODIES = { learnBody }
const HEADERS = { learnHeaders }
const CALLS = { countCall, noteCall }
const without = (left: Partial<FastPaths>): FastPaths => ({
  ...FAST_PATHS,
  ...Object.fromEntries(Object.keys(left).map((key) => [key, NO_FAST_PATHS[key as keyof FastPaths]])),
})

const WAYS: Record<string, FastPaths | null> = {
  'general way': null,
  'read in place alone': NO_FAST_PATHS,
  'in place, known bodies': { ...NO_FAST_PATHS, ...BODIES },
  'in place, header rows': { ...NO_FAST_PATHS, ...HEADERS },
  'in place, call profiles': { ...NO_FAST_PATHS, ...CALLS },
  'all but known bodies': without(BODIES),
  'all but header rows': without(HEADERS),
  'all but call profiles': without(CALLS),
  all: FAST_PATHS,
}

/** An engine with its own store, and the same messages as every other lane. */
interface Lane {
  readonly name: string
  readonly feed: (messages: number) => Promise<number>
  readonly close: () => Promise<void>
}

async function openLane(name: string, fastPaths: FastPaths | null): Promise<Lane> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vigil-bench-fast-paths-'))
  const store = await openStore({ databaseUrl: undefined, dataDir })
  const engine = await InventoryEngine.open(store, undefined, fastPaths)
  const source = new MessageSource(7)
  return {
    name,
    feed: async (messages) => {
      let cpu = 0
      for (let fed = 0; fed < messages; fed += BATCH) {
        const bytes = new TextEncoder().encode(`{"batchData":[${source.take(BATCH).join(',')}]}`)
        const before = process.threadCpuUsage()
        await engine.ingest(bytes, { byHost: true }, 'OTHER')
        const { user, system } = process.threadCpuUsage(before)
        cpu += user + system
      }
      return cpu / messages
    },
    close: async () => {
      await engine.close()
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const lanes: Lane[] = []
for (const [name, fastPaths] of Object.entries(WAYS)) {
  const lane = await openLane(name, fastPaths)
  const cold = await lane.feed(WARM_UP)
  console.error(`${name}: ${cold.toFixed(1)} µs a message while learning`)
  lanes.push(lane)
}
const rounds = new Map(lanes.map(({ name }) => [name, [] as number[]]))
for (let round = 0; round < ROUNDS; round++)
  for (const lane of lanes) rounds.get(lane.name)!.push(await lane.feed(MESSAGES))
for (const lane of lanes) await lane.close()

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!
const all = median(rounds.get('all')!)
console.log('| Engine | CPU of its thread, µs a message | of all |\n|---|---|---|')
for (const [name, list] of rounds) {
  const own = median(list)
  console.log(`| ${name} | ${own.toFixed(1)} | ${(own / all).toFixed(2)} |`)
}
