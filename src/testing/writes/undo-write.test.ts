import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { draftHeader } from '../attempts/header-edits.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { undoWrite } from './undo-write.ts'

const NOTE = 'http://notes.test/notes/7'

function callerOf(name: string): RequestDraft {
  return draftOf(rawSample(`POST http://notes.test/notes HTTP/1.1\nauthorization: ${name}\n\n{"title":"Hi"}`))
}

/** Notes that only their owner sees: to others they are not there. */
function notesOf(owner: string) {
  let isThere = true
  const send = (draft: RequestDraft): Promise<Exchange> => {
    const isOwner = draftHeader(draft, 'authorization') === owner
    const status = isThere && isOwner ? 200 : 404
    if (draft.method === 'DELETE' && isOwner) isThere = false
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: notes.test\n\n`)
    const headers = ['content-type', 'application/json']
    const body = status === 200 ? '{"id":7,"title":"Hi"}' : '{"error":"not found"}'
    return Promise.resolve({ ...exchange, response: { ...exchange.response, status, headers, body } })
  }
  return { send, isThere: () => isThere }
}

test('what one caller is not shown is deleted by the one who is', async () => {
  const notes = notesOf('otto')
  const write = {
    kind: 'CREATE',
    id: 'a',
    url: 'http://notes.test/notes',
    created: [NOTE],
    listed: null,
    callers: [callerOf('olga'), callerOf('otto')],
    sentAtMs: 0,
  } as const
  expect(await undoWrite(write, notes.send)).toBeNull()
  expect(notes.isThere()).toBe(false)
})

test('what a lost creation made is searched for only in the list that was noted before it', async () => {
  const sent: string[] = []
  const send = (draft: RequestDraft): Promise<Exchange> => {
    const name = draftHeader(draft, 'authorization')!
    sent.push(`${draft.method} ${name}`)
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: notes.test\n\n`)
    const headers = ['content-type', 'application/json']
    const [status, body] = name === 'olga' ? [401, '{}'] : [200, '[{"id":7,"title":"Hi"}]']
    return Promise.resolve({ ...exchange, response: { ...exchange.response, status, headers, body } })
  }
  const write = {
    kind: 'CREATE',
    id: 'a',
    url: 'http://notes.test/notes',
    created: null,
    listed: ['3'],
    callers: [callerOf('olga'), callerOf('otto')],
    sentAtMs: 0,
  } as const
  expect(await undoWrite(write, send)).toBe('its answer was lost, and no list shows what it made')
  expect(sent).toEqual(['GET olga'])
})
