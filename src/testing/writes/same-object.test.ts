import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import { RunWrites } from './write-guard.ts'

const KEEPER = {
  keep: () => Promise.resolve(),
  done: () => Promise.resolve(),
  postpone: () => Promise.resolve(),
}
const ENDPOINT = { collectionId: 1, method: 'POST', url: '/alert' }

function recorded(method: string, path: string, status: number, body: string): Exchange {
  const exchange = rawSample(
    `${method} http://watch.test${path} HTTP/1.1\nhost: watch.test\ncontent-type: application/json\n\n{"on":"web"}`,
  )
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status, headers, body } }
}

/** Answers every creation with one object while it is there, as applications do that know what they have by its values. */
function application(id: string): {
  readonly deletions: string[]
  readonly transmit: (draft: RequestDraft) => Promise<SentRequest>
} {
  const deletions: string[] = []
  return {
    deletions,
    transmit: ({ method, url }) => {
      const path = url.replace('http://watch.test', '')
      if (method === 'DELETE') deletions.push(path)
      const isThere = method === 'POST' || deletions.length === 0
      const exchange = recorded(method, path, isThere ? 200 : 404, isThere ? `{"id":"${id}"}` : '{}')
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    },
  }
}

function writesOf(): RunWrites {
  const isKnownEndpoint = (_id: number, method: string | null, url: string): boolean =>
    method !== 'POST' && /\/alert\/[a-z]+\d$/.test(url)
  const lookups = { ...EMPTY_LOOKUPS, isKnownEndpoint }
  return new RunWrites({ level: 'REVERSIBLE', undoes: true, keeper: KEEPER, lookups })
}

const SAMPLE = recorded('POST', '/alert', 201, '{"id":"old1"}')
const DRAFT = draftOf(SAMPLE)
const WANTED = { draft: DRAFT, start: DRAFT, sample: SAMPLE, endpoint: ENDPOINT }

test('an object that the application gave to two tests is deleted when the last of them has ended', async () => {
  const writes = writesOf()
  const [one, other] = [writes.begin(), writes.begin()]
  const { deletions, transmit } = application('new2')
  const send = (draft: RequestDraft): Promise<Exchange> => transmit(draft).then(({ exchange }) => exchange)
  await one.send({ ...WANTED, related: [SAMPLE] }, transmit)
  await other.send({ ...WANTED, related: [SAMPLE] }, transmit)
  await one.settle(send)
  expect(deletions).toEqual([])
  await other.settle(send)
  expect(deletions).toEqual(['/alert/new2'])
})

test.each<[string, readonly Exchange[], readonly string[]]>([
  ['made', [SAMPLE], []],
  ['read', [recorded('GET', '/alert/old1', 200, '{"id":"old1"}')], []],
  ['deleted', [SAMPLE, recorded('DELETE', '/alert/old1', 200, '{}')], ['/alert/old1']],
  ['asked for in vain', [recorded('GET', '/alert/old1', 404, '{}')], ['/alert/old1']],
])('what a creation gives back that was recorded being %s', async (_, related, expected) => {
  const { deletions, transmit } = application('old1')
  const pair = writesOf().begin()
  await pair.send({ ...WANTED, related }, transmit)
  await pair.settle((draft) => transmit(draft).then(({ exchange }) => exchange))
  expect(deletions).toEqual(expected)
})

test('what nobody can delete is added at the level ALL, and its list is not sent back to undo it', async () => {
  const lookups = {
    ...EMPTY_LOOKUPS,
    isKnownEndpoint: (_id: number, method: string | null, url: string): boolean =>
      method === 'GET' && /\/books$/.test(url),
  }
  const sent: string[] = []
  const transmit = ({ method, url, body }: RequestDraft): Promise<SentRequest> => {
    sent.push(`${method} ${body.text}`)
    const books = sent.flatMap((one) => (one.startsWith('POST') ? [{ title: 'web' }] : []))
    const answer = method === 'GET' ? JSON.stringify({ books }) : '{"done":true}'
    const exchange = recorded(method, new URL(url).pathname, 200, answer)
    return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
  }
  const sample = recorded('POST', '/books', 200, '{"done":true}')
  const draft = draftOf(sample)
  const writes = new RunWrites({ level: 'ALL', undoes: true, keeper: KEEPER, lookups })
  const pair = writes.begin()
  const endpoint = { ...ENDPOINT, url: '/books' }
  await pair.send({ draft, start: draft, sample, endpoint, related: [sample] }, transmit)
  await pair.settle((one) => transmit(one).then(({ exchange }) => exchange))
  expect(sent.filter((one) => one.startsWith('POST'))).toEqual(['POST {"on":"web"}'])
})
