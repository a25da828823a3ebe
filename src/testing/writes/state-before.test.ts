import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import { stateBefore } from './state-before.ts'

const GROUP = '{"name":"physics","room":"12","users":["olga"]}'

/** @returns the URL at which a write of a part of the group is read before, null where its state is not known */
async function readUrlOf(method: string, part: string, body: string): Promise<string | null> {
  const sample = rawSample(
    `${method} http://hub.test/groups/physics/${part} HTTP/1.1\nhost: hub.test\ncontent-type: application/json\n\n${body}`,
  )
  const draft = draftOf(sample)
  const endpoint = { collectionId: 1, method, url: `/groups/STRING/${part}` }
  const isKnownEndpoint = (_id: number, _method: string | null, url: string): boolean =>
    url.endsWith('/groups/physics')
  const wanted = { draft, start: draft, sample, related: [], endpoint }
  const lookups = { ...EMPTY_LOOKUPS, isKnownEndpoint }
  const { before, readUrl } = await stateBefore(wanted, lookups, (one) => {
    const isGroup = one.url.endsWith('/physics')
    const response = { ...sample.response, status: isGroup ? 200 : 405, body: isGroup ? GROUP : '' }
    return Promise.resolve({
      ...sample,
      response: { ...response, headers: ['content-type', 'application/json'] },
    })
  })
  return before === null ? null : readUrl
}

test('a part of an object is read where the object shows it', async () => {
  expect(await readUrlOf('PUT', 'room', '{"room":"14"}')).toBe('http://hub.test/groups/physics')
  expect(await readUrlOf('POST', 'room', '{"room":"14"}')).toBe('http://hub.test/groups/physics')
  expect(await readUrlOf('PUT', 'users', '{"users":["otto"]}')).toBe('http://hub.test/groups/physics')
})

test('what a POST adds to a list of an object is not undone by the old list', async () => {
  expect(await readUrlOf('POST', 'users', '{"users":["otto"]}')).toBeNull()
})

test('what a POST adds to an object is not undone by a field of the object that is called alike', async () => {
  expect(await readUrlOf('POST', 'members', '{"name":"otto"}')).toBeNull()
})
