import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepingTarget, recordUse } from '../scenarios/keeping-target.ts'
import { startServerProcess } from '../server-process.ts'
import { freshStorePlace } from '../store-fixture.ts'
import { collectionOf, wholeCollection } from '../use-vigil.ts'

const KEY = 'faultsfaultsfaultsfaultsfaultsfaultsfaul'
const TESTS = ['UNBOUNDED_TEXT_LENGTH', 'MASS_ASSIGNMENT_ROLE']

test('a run that is killed while its writes stand leaves the application as it was', async () => {
  const place = await freshStorePlace()
  const target = await keepingTarget(60)
  const start = () =>
    startServerProcess(place.dataDir, 0, KEY, new AbortController().signal, [
      '--log-level',
      'error',
      ...(place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl]),
    ])
  let worker = await start()
  try {
    await recordUse(worker.installation, target.host)
    const before = target.state()
    const collectionId = await collectionOf(worker.installation, target.host)
    const run = await worker.installation.call('startTest', {
      ...wholeCollection(collectionId, TESTS),
      cleanUpTestingResources: true,
      maxConcurrentRequests: 2,
    })
    let kills = 0
    for (const until = Date.now() + 60_000; kills < 1 && Date.now() < until; await pause(1)) {
      if (target.state() === before) continue
      worker.process.kill('SIGKILL')
      await worker.ended
      // Answered or not, what was under way has reached the target.
      await pause(100)
      expect(target.state(), 'something stands there that only the store knows how to undo').not.toBe(before)
      kills++
      worker = await start()
    }
    expect(kills).toBe(1)
    await expect
      .poll(
        async () =>
          (
            await worker.installation.call('fetchTestingRunResultsSummary', {
              testingRunSummaryId: run['testingRunResultSummaryHexId'],
            })
          )['state'],
        { interval: 250 },
      )
      .toBe('COMPLETED')
    expect(target.state()).toBe(before)
  } finally {
    await worker.stop()
    await target.close()
    await place.dispose()
  }
}, 240_000)
