import { expect, test } from 'vitest'
import { CollectionState, type KnownTarget } from './collection-state.ts'

test('paths that come again and again stay known beside ever new ones', () => {
  const collection = new CollectionState({
    id: 1,
    kind: 'HOST',
    host_name: 'h',
    is_redacted: false,
    is_deactivated: false,
    tags: [],
    has_document: false,
  })
  const target = { path: '/usual' } as KnownTarget
  collection.remember('GET', '/usual', target)
  for (let i = 0; i < 100_000; i++) {
    if (i % 1000 === 0) expect(collection.known('GET', '/usual')).toBe(target)
    collection.remember('GET', `/once/${i}`, target)
  }
  expect(collection.known('GET', '/once/1')).toBeUndefined()
  collection.forgetTargets()
  expect(collection.known('GET', '/usual')).toBeUndefined()
})
