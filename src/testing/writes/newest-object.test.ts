import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import { RunWrites } from './write-guard.ts'

const SITE = 'http://keys.test'
const BACKUPS = '/backups/version'
const KEEPER = {
  keep: () => Promise.resolve(),
  done: () => Promise.resolve(),
  postpone: () => Promise.resolve(),
}

function exchanged(method: string, path: string, body: string, sent = '{"algorithm":"a"}'): Exchange {
  const exchange = rawSample(
    `${method} ${SITE}${path} HTTP/1.1\nhost: keys.test\ncontent-type: application/json\n\n${sent}`,
  )
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status: 200, headers, body } }
}

/** Makes a backup at an address that shows the newest one; @returns the methods of what was sent. */
async function made(
  deletable: boolean,
  answer: string,
  path = BACKUPS,
  body = '{"algorithm":"a"}',
): Promise<string[]> {
  const sent: string[] = []
  const isKnownEndpoint = (_id: number, method: string | null, url: string): boolean =>
    method === 'GET' || (method === 'DELETE' && deletable && !url.endsWith(path))
  const writes = new RunWrites({
    ...{ level: 'REVERSIBLE', undoes: true, keeper: KEEPER },
    lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint },
  }).begin()
  const sample = exchanged('POST', path, answer, body)
  const draft = draftOf(sample)
  const endpoint = { collectionId: 1, method: 'POST', url: path }
  await writes
    .send({ draft, start: draft, sample, related: [], endpoint }, (one): Promise<SentRequest> => {
      sent.push(one.method)
      const exchange = exchanged(one.method, path, '{"version":"1","algorithm":"a"}')
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    })
    .catch((error: unknown) => sent.push(String(error)))
  return sent
}

test('what makes a newer object at each call is sent only where that can be deleted', async () => {
  const refused = await made(false, '{"version":"1"}')
  expect(refused).not.toContain('POST')
  expect(refused.join()).toContain('WRITE_NOT_REVERSIBLE')
  expect(await made(true, '{"version":"1"}')).toContain('POST')
})

test('a POST that changes the one object of its address is sent', async () => {
  expect(await made(false, '{"saved":true}')).toContain('POST')
})

test('a stored filter is not a search: it is sent only where it can be deleted', async () => {
  const [filter, answer] = ['/users/olga/filter', '{"filter_id":"1"}']
  expect((await made(false, answer, filter)).join()).toContain('WRITE_NOT_REVERSIBLE')
  expect(await made(true, answer, filter)).toContain('POST')
  expect(await made(false, '{"results":[]}', filter)).toEqual(['POST'])
})

test('a sign-in whose answer names its session stays a sign-in', async () => {
  const [path, body] = ['/sessions', '{"email":"olga@example.org","password":"secret-7"}']
  expect(await made(false, '{"id":"s1"}', path, body)).toEqual(['POST'])
})
