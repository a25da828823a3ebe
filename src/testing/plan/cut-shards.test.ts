import { expect, test } from 'vitest'
import type { Template } from '../template/index.ts'
import { cutShards, pairsOf } from './cut-shards.ts'
import type { PlannedPair } from './plan.ts'

function template(id: string, nature: 'INTRUSIVE' | 'NON_INTRUSIVE', duration: 'FAST' | 'SLOW'): Template {
  return {
    id,
    info: { cwe: [] },
    attributes: { nature, duration, plan: null },
    execute: { type: 'single', steps: [] },
  } as unknown as Template
}

const templates = new Map(
  [
    template('READS', 'NON_INTRUSIVE', 'FAST'),
    template('CHANGES', 'INTRUSIVE', 'FAST'),
    template('WAITS', 'NON_INTRUSIVE', 'SLOW'),
  ].map((one) => [one.id, one]),
)

function pairs(endpoints: number, method: string, ids: readonly string[]): PlannedPair[] {
  return Array.from({ length: endpoints }, (_, i) => ({ collectionId: 1, method, url: `/${i}` })).flatMap(
    (endpoint) => ids.map((testId) => ({ endpoint, testId })),
  )
}

test('every pair is in exactly one shard', () => {
  const all = pairs(300, 'GET', ['READS', 'CHANGES', 'WAITS'])
  const cut = cutShards(all, templates).flatMap((shard) => pairsOf(shard.pairs))
  const keys = (list: readonly PlannedPair[]) => list.map((pair) => JSON.stringify(pair)).sort()
  expect(keys(cut)).toEqual(keys(all))
})

test('what only reads comes before what changes, and what is slow comes last, in smaller shards', () => {
  const shards = cutShards(pairs(2000, 'GET', ['READS', 'CHANGES', 'WAITS']), templates)
  const sizes = new Map<number, number[]>()
  for (const { stage, pairs: shard } of shards)
    sizes.set(stage, [...(sizes.get(stage) ?? []), pairsOf(shard).length])
  expect([...sizes.keys()]).toEqual([0, 1, 2])
  expect(Math.max(...sizes.get(0)!)).toBe(100)
  expect(Math.max(...sizes.get(2)!)).toBe(20)
  for (const { stage, pairs: shard } of shards)
    expect(new Set(pairsOf(shard).map(({ testId }) => testId))).toEqual(
      new Set([['READS', 'CHANGES', 'WAITS'][stage]!]),
    )
})

test('shards of a stage hold at most 100 checks and get smaller, so that the processes that work them off end together', () => {
  const sizes = cutShards(pairs(3000, 'GET', ['READS']), templates).map(
    ({ pairs: shard }) => pairsOf(shard).length,
  )
  expect(sizes[0]).toBe(100)
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
  expect(sizes.at(-1)).toBe(1)
  const slow = cutShards(pairs(3000, 'GET', ['WAITS']), templates)
  expect(pairsOf(slow[0]!.pairs)).toHaveLength(20)
})

test('all tests of an endpoint in a stage are in one shard', () => {
  const shards = cutShards(pairs(500, 'GET', ['CHANGES']), templates)
  const urls = shards.flatMap(({ pairs: shard }) => shard.map(({ url }) => url))
  expect(new Set(urls).size).toBe(urls.length)
})

test('all tests of a path in a stage are in one shard, whatever their methods', () => {
  const all = [...pairs(200, 'PUT', ['CHANGES']), ...pairs(200, 'PATCH', ['CHANGES'])]
  const shards = cutShards(all, templates)
  expect(shards.length).toBeGreaterThan(10)
  const urls = shards.flatMap(({ pairs: shard }) => [...new Set(shard.map(({ url }) => url))])
  expect(new Set(urls).size).toBe(urls.length)
  expect(shards.flatMap((shard) => pairsOf(shard.pairs))).toHaveLength(all.length)
})

test('a test that only reads changes something where the endpoint does', () => {
  const [shard] = cutShards(pairs(1, 'POST', ['READS']), templates)
  expect(shard!.stage).toBe(1)
})

test('what signs in comes after everything else, for it may end the sessions that tests act with', () => {
  const ids = ['READS', 'CHANGES', 'WAITS']
  const at = (method: string, url: string) =>
    ids.map((testId) => ({ endpoint: { collectionId: 1, method, url }, testId }))
  const stages = (found: readonly PlannedPair[]) => cutShards(found, templates).map(({ stage }) => stage)
  expect(stages(at('POST', '/auth/simple/login'))).toEqual([4, 5])
  for (const url of ['/api/sessions', '/v1/token', '/users/sign_in', '/rest/user/login?next=/'])
    expect(Math.min(...stages(at('POST', url)))).toBe(4)
  expect(stages(at('GET', '/login'))).toEqual([0, 1, 2])
  for (const url of ['/blogin', '/author/1', '/obsessions', '/tokenizer'])
    expect(stages(at('POST', url))).toEqual([1, 2])
})

test('a plan without pairs has no shards', () => {
  expect(cutShards([], templates)).toEqual([])
})
