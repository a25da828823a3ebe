import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import { RunWrites } from './write-guard.ts'

const KEEPER = {
  keep: () => Promise.resolve(),
  done: () => Promise.resolve(),
  postpone: () => Promise.resolve(),
}

/** Sends a request at the write level ALL; @returns whether it left. */
async function isSent(request: string): Promise<boolean> {
  const [sample, draft] = [rawSample(request), draftOf(rawSample(request))]
  const endpoint = { collectionId: 1, method: draft.method, url: '/files' }
  const writes = new RunWrites({
    level: 'ALL',
    undoes: false,
    keeper: KEEPER,
    lookups: EMPTY_LOOKUPS,
  }).begin()
  let isGone = false
  await writes
    .send({ draft, endpoint, start: draft, sample, related: [] }, (): Promise<SentRequest> => {
      isGone = true
      return Promise.resolve({ exchange: sample, responseTimeMs: 1, isTruncated: false })
    })
    .catch(({ code }: { code: string }) => expect(code).toBe('WRITE_NOT_REVERSIBLE'))
  return isGone
}

const json = 'content-type: application/json\n\n'

test.each([
  [
    'an upload by that name',
    `POST http://files.test/files HTTP/1.1\n${json}{"filename":"../../etc/passwd","content":"x"}`,
  ],
  [
    'an encoded name in a query',
    'PUT http://files.test/files?name=..%252f..%252fetc%252fpasswd HTTP/1.1\n\nx',
  ],
  ['a deletion', 'DELETE http://files.test/files/..%2f..%2fetc%2fshadow HTTP/1.1\n\n'],
  [
    'a file of Windows',
    `POST http://files.test/files HTTP/1.1\n${json}{"filename":"..\\\\..\\\\windows\\\\win.ini"}`,
  ],
])('no write names a file that the operating system needs: %s', async (_name, request) => {
  expect(await isSent(request)).toBe(false)
})

test.each([
  ['a read', 'GET http://files.test/files?name=../../etc/passwd HTTP/1.1\n\n'],
  [
    'a file that is named by its URL',
    `POST http://files.test/files HTTP/1.1\n${json}{"image":"file:///etc/passwd"}`,
  ],
  ['a search', `POST http://files.test/files/search HTTP/1.1\n${json}{"name":"../../etc/passwd"}`],
  [
    'a file that nobody can write',
    `POST http://files.test/files HTTP/1.1\n${json}{"filename":"../../proc/version"}`,
  ],
])('others are sent: %s', async (_name, request) => {
  expect(await isSent(request)).toBe(true)
})
