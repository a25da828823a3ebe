import { type Profiler, Session } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { mixedMessage } from '../../../test/engine-fixture.ts'
import { openTestStore } from '../../../test/store-fixture.ts'
import modules from '../../modules.json' with { type: 'json' }
import { InventoryEngine } from './engine.ts'

const { order } = modules.modules.inventory
/** Work beside the way of a message: it asks for counts to be written before it moves endpoints. */
const BESIDE = new Set(['engine/moves', 'engine/watchers'])
const MESSAGES = 6000
const BATCH = 400
const MICROSECONDS_BETWEEN_SAMPLES = 100
/**
 * A sample taken while a function begins may lack the frame of its caller. What is called for messages is in more samples
 * than that: at least three, and one in 500 of those within the engine.
 */
const LEAST_SAMPLES = 3
const LEAST_SHARE = 1 / 500

/** The position of a file's folder in the order of the engine's folders; -1 for files outside the engine. */
function placeOf(url: string): number {
  const path = url.split('/src/inventory/')[1] ?? ''
  return order.findIndex((place) => path === place || path.startsWith(`${place}/`))
}

/** The call stacks that were seen while the engine took messages. */
async function stacksOfIngestion(): Promise<Profiler.Profile> {
  const opened = await openTestStore()
  const engine = await InventoryEngine.open(opened.store)
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: MICROSECONDS_BETWEEN_SAMPLES })
    await session.post('Profiler.start')
    for (let from = 0; from < MESSAGES; from += BATCH) {
      const batchData = Array.from({ length: BATCH }, (_, n) => mixedMessage(from + n))
      await engine.ingest(new TextEncoder().encode(JSON.stringify({ batchData })), { byHost: true }, 'OTHER')
    }
    return (await session.post('Profiler.stop')).profile
  } finally {
    session.disconnect()
    await engine.close()
    await opened.close()
  }
}

/** Calls from a folder to one before it, as text; and the folders that were seen. */
function callsUpwards({ nodes }: Profiler.Profile): { upwards: string[]; seen: Set<string> } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const upwards = new Map<string, number>()
  const seen = new Set<string>()
  let samplesWithin = 0
  /** Returns the samples of a call and all that it called. */
  const visit = (id: number, caller: { place: number; name: string }): number => {
    const { callFrame, hitCount = 0, children = [] } = byId.get(id)!
    const place = placeOf(callFrame.url)
    const called = place < 0 ? caller : { place, name: `${order[place]} ${callFrame.functionName}` }
    if (place >= 0 && BESIDE.has(order[place]!)) return 0
    if (place >= 0) seen.add(order[place]!)
    if (called.place >= 0) samplesWithin += hitCount
    const samples = children.reduce((sum, child) => sum + visit(child, called), hitCount)
    const call = `${caller.name} calls ${called.name}`
    if (called.place < caller.place) upwards.set(call, (upwards.get(call) ?? 0) + samples)
    return samples
  }
  visit(nodes[0]!.id, { place: -1, name: '' })
  const least = Math.max(LEAST_SAMPLES, samplesWithin * LEAST_SHARE)
  const found = [...upwards].filter(([, samples]) => samples >= least)
  return {
    upwards: found.map(([call, samples]) => `${call} in ${samples} of ${samplesWithin} samples`),
    seen,
  }
}

test('a message passes down through the folders of the engine in their order, and back', async () => {
  const { upwards, seen } = callsUpwards(await stacksOfIngestion())
  expect(upwards).toEqual([])
  for (const place of ['intake', 'place', 'learn', 'fast-paths', 'values', 'counts', 'state'])
    expect(seen).toContain(`engine/${place}`)
})
