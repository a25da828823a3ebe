import { expect, test } from 'vitest'
import { AT, testEngines } from '../../../../test/engine-fixture.ts'
import type { CollectionState } from './collection-state.ts'
import { saveEvidence } from './evidence.ts'
import { Memory } from './memory.ts'

const engines = testEngines()
const ORIGIN = ''
const call = { method: 'GET', path: '/people/rose', status: 200, mediaType: '', keys: [], at: AT }

async function freshMemory(): Promise<{ memory: Memory; collection: CollectionState }> {
  const memory = new Memory(engines.store)
  await memory.loadHosts(new Map([['shop.example', { at: AT, tags: undefined }]]))
  return { memory, collection: memory.collectionByHost('shop.example')! }
}

test('a route that a framework reports for a known path is saved', async () => {
  const { memory, collection } = await freshMemory()
  const trie = await memory.trie(collection, ORIGIN)
  trie.observe(call)
  trie.evaluate()
  await saveEvidence(engines.store, memory, 'one')
  trie.observe({ ...call, route: '/people/{name}' })
  trie.evaluate()
  await saveEvidence(engines.store, memory, 'one')

  const later = await freshMemory()
  const restored = await later.memory.trie(later.collection, ORIGIN)
  expect(restored.resolve('GET', '/people/otto')?.template).toBe('/people/STRING')
})
