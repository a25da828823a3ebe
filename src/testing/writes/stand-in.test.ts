import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import { RunWrites, type WantedWrite, type WriteLevel } from './write-guard.ts'

const KEEPER = {
  keep: () => Promise.resolve(),
  done: () => Promise.resolve(),
  postpone: () => Promise.resolve(),
}
const PROMOTION = 'http://beers.test/admin/promote/6'

function recorded(method: string, url: string, status: number, body: string): Exchange {
  const exchange = rawSample(
    `${method} ${url} HTTP/1.1\nhost: beers.test\ncontent-type: application/json\n\n{"name":"leaver"}`,
  )
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status, headers, body } }
}

/** Sends the recorded promotion of a user who is gone; @returns what was sent. */
async function promoted(level: WriteLevel, related: readonly Exchange[]): Promise<string[]> {
  const sent: string[] = []
  const sample = recorded('PUT', PROMOTION, 200, '[1]')
  const draft = draftOf(sample)
  const wanted: WantedWrite = {
    ...{ draft, start: draft, sample, related },
    endpoint: { collectionId: 1, method: 'PUT', url: '/admin/promote/INTEGER' },
  }
  const isKnownEndpoint = (_id: number, method: string | null, url: string): boolean =>
    method === 'DELETE' && /\/users\/\d+$/.test(url)
  const writes = new RunWrites({
    level,
    undoes: true,
    keeper: KEEPER,
    lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint },
  }).begin()
  await writes
    .send(wanted, (one): Promise<SentRequest> => {
      sent.push(`${one.method} ${one.url.replace('http://beers.test', '')}`)
      const isNew = one.method === 'POST'
      const exchange = recorded(one.method, one.url, isNew ? 201 : 404, isNew ? '{"id":50}' : '{}')
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    })
    .catch(() => {}) // below ALL the promotion is refused
  return sent
}

test('a function acts on an object that is made for it where one recorded request made the recorded one', async () => {
  const made = recorded('POST', 'http://beers.test/users', 201, '{"id":6}')
  expect(await promoted('ALL', [made])).toEqual(['POST /users', 'PUT /admin/promote/50'])
  expect(await promoted('REVERSIBLE', [made])).not.toContain('POST /users')
})

test('an identifier that two kinds of objects have says nothing', async () => {
  const user = recorded('POST', 'http://beers.test/users', 201, '{"id":6}')
  const beer = recorded('POST', 'http://beers.test/beers', 201, '{"id":6}')
  expect(await promoted('ALL', [user, beer])).toContain('PUT /admin/promote/6')
})
