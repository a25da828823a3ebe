import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { environmentWithoutSettings } from '../start-program.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'

const PROGRAM = fileURLToPath(new URL('engine-syncs-program.ts', import.meta.url))
const COMMITS = 12
const hasStrace = spawnSync('strace', ['-V']).status === 0

let place: StorePlace
let scratch: string
beforeEach(async () => {
  place = await freshStorePlace()
  scratch = mkdtempSync(join(tmpdir(), 'vigil-strace-'))
})
afterEach(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await place.dispose()
})

/** Paths that were synced, in order, between the marks that the program leaves. */
function tracedSyncs(isDurable: boolean): Record<'commits' | 'checkpoint', string[]> {
  const trace = join(scratch, 'trace')
  const args = ['-f', '-y', '-o', trace, '-e', 'trace=fsync,fdatasync,mkdir', process.execPath]
  const done = spawnSync('strace', [...args, PROGRAM, place.dataDir, String(COMMITS), String(isDurable)], {
    env: environmentWithoutSettings(),
    encoding: 'utf8',
  })
  expect(done.status, done.stderr).toBe(0)
  const syncs: Record<string, string[]> = {}
  let part = 'opening'
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const mark = /mkdir\("[^"]*\/mark-(\w+)"/.exec(line)?.[1]
    if (mark !== undefined) part = mark
    const path = /(?:fsync|fdatasync)\(\d+<([^>]*)>/.exec(line)?.[1]
    if (path !== undefined) {
      syncs[part] ??= []
      syncs[part]!.push(path.replace(`${join(place.dataDir, 'database')}/`, ''))
    }
  }
  return { commits: syncs['commits'] ?? [], checkpoint: syncs['checkpoint'] ?? [] }
}

test.runIf(testedEngine === 'embedded' && hasStrace)(
  'every commit of the embedded store syncs its log, and a checkpoint the files and folders it wrote',
  () => {
    const { commits, checkpoint } = tracedSyncs(true)
    expect(commits.length).toBeGreaterThanOrEqual(COMMITS)
    expect(commits.filter((path) => !/^pg_wal\/[0-9A-F]{24}$/.test(path))).toEqual([])
    expect(checkpoint.filter((path) => /^base\/\d+\/\d+/.test(path)).length).toBeGreaterThan(0)
    expect(checkpoint).toContain('global/pg_control')
    expect(
      checkpoint.some((path) => /^(pg_xact|pg_logical|pg_wal|base\/\d+)$/.test(path)),
      'a folder',
    ).toBe(true)
  },
)

test.runIf(testedEngine === 'embedded' && hasStrace)(
  'an embedded store with durability off syncs nothing',
  () => {
    expect(tracedSyncs(false)).toEqual({ commits: [], checkpoint: [] })
  },
)
