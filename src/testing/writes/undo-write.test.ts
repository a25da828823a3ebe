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

test.each([
  ['{"status":"success","note":null}', null],
  ['{"status":"success","note":{"id":7}}', 'is still shown'],
  ['{"status":"success","note":{"id":7},"owner":null}', 'is still shown'],
])('what a welcome answer shows after a deletion is %s', async (body, problem) => {
  const write = {
    kind: 'CREATE',
    id: 'a',
    url: 'http://notes.test/notes',
    created: [NOTE],
    listed: null,
    callers: [callerOf('olga')],
    sentAtMs: 0,
  } as const
  const result = await undoWrite(write, (draft) => {
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: notes.test\n\n`)
    const headers = ['content-type', 'application/json']
    return Promise.resolve({ ...exchange, response: { ...exchange.response, status: 200, headers, body } })
  })
  if (problem === null) expect(result).toBeNull()
  else expect(result).toContain(problem)
})

/** Notes whose addresses end in a slash, as those of many frameworks do: without it the application says where they are. */
function notesWithSlashes() {
  let isThere = true
  const sent: string[] = []
  const send = (draft: RequestDraft): Promise<Exchange> => {
    sent.push(`${draft.method} ${draft.url}`)
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: notes.test\n\n`)
    const answered = (status: number, headers: string[], body = ''): Promise<Exchange> =>
      Promise.resolve({ ...exchange, response: { ...exchange.response, status, headers, body } })
    if (!draft.url.endsWith('/')) return answered(301, ['Location', `${new URL(draft.url).pathname}/`])
    const status = isThere ? (draft.method === 'DELETE' ? 204 : 200) : 404
    if (draft.method === 'DELETE') isThere = false
    return answered(status, ['content-type', 'application/json'], status === 200 ? '{"id":7}' : '')
  }
  return { send, sent, isThere: () => isThere }
}

test('what was made is deleted where the application says that it is, but for the slash at the end', async () => {
  const notes = notesWithSlashes()
  const write = {
    kind: 'CREATE',
    id: 'a',
    url: 'http://notes.test/notes/',
    created: [NOTE],
    listed: null,
    callers: [callerOf('olga')],
    sentAtMs: 0,
  } as const
  expect(await undoWrite(write, notes.send)).toBeNull()
  expect(notes.isThere()).toBe(false)
  expect(notes.sent.slice(0, 2)).toEqual([`DELETE ${NOTE}`, `DELETE ${NOTE}/`])
})

test('a redirect to another address is not followed with a deletion', async () => {
  const sent: string[] = []
  const send = (draft: RequestDraft): Promise<Exchange> => {
    sent.push(`${draft.method} ${draft.url}`)
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: notes.test\n\n`)
    const headers = ['location', 'http://notes.test/notes/8']
    return Promise.resolve({
      ...exchange,
      response: { ...exchange.response, status: 308, headers, body: '' },
    })
  }
  const write = {
    kind: 'CREATE',
    id: 'a',
    url: 'http://notes.test/notes',
    created: [NOTE],
    listed: null,
    callers: [callerOf('olga')],
    sentAtMs: 0,
  } as const
  expect(await undoWrite(write, send)).toBe(`DELETE ${NOTE} was answered with 308`)
  expect(sent).toEqual([`DELETE ${NOTE}`])
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

/** An account whose password only some may set; @returns what was sent. */
function accountOf(settersNames: readonly string[], password: string) {
  let current = password
  const sent: string[] = []
  const send = (draft: RequestDraft): Promise<Exchange> => {
    const name = draftHeader(draft, 'authorization') ?? ''
    sent.push(`${draft.method} ${draft.url.replace('http://notes.test', '')} ${name}`.trim())
    const body = JSON.parse(draft.body.text) as { password: string }
    const isSignIn = draft.url.endsWith('/login')
    const isAllowed = isSignIn ? body.password === current : settersNames.includes(name)
    if (!isSignIn && isAllowed) current = body.password
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: notes.test\n\n`)
    const response = {
      ...exchange.response,
      status: isAllowed ? 200 : 401,
      headers: ['content-type', 'application/json'],
      body: isAllowed ? '{"token":"a-long-opaque-token"}' : '{"error":"no"}',
    }
    return Promise.resolve({ ...exchange, response })
  }
  const requestOf = (path: string, name: string, text: string): RequestDraft =>
    draftOf(
      rawSample(
        `POST http://notes.test${path} HTTP/1.1\nauthorization: ${name}\ncontent-type: application/json\n\n{"password":"${text}"}`,
      ),
    )
  const write = {
    kind: 'PASSWORD',
    id: 'a',
    url: 'http://notes.test/password',
    callers: [requestOf('/password', 'olga', 'old'), requestOf('/password', 'otto', 'random')],
    signIn: requestOf('/login', '', 'old'),
    sentAtMs: 0,
  } as const
  return { write, send, sent, current: () => current }
}

test('a password is set back by its user, and by the attacker where the session of the user has ended', async () => {
  const account = accountOf(['olga'], 'random')
  expect(await undoWrite(account.write, account.send)).toBeNull()
  expect(account.current()).toBe('old')
  expect(account.sent).toEqual(['POST /password olga', 'POST /login'])

  const lost = accountOf(['otto'], 'random')
  expect(await undoWrite(lost.write, lost.send)).toBeNull()
  expect(lost.current()).toBe('old')
})

test('a password counts as set back only when it signs in', async () => {
  const changed = accountOf([], 'random')
  expect(await undoWrite(changed.write, changed.send)).toBe(
    'POST http://notes.test/password, which sets the recorded password back, was answered with 401',
  )
  const untouched = accountOf([], 'old')
  expect(await undoWrite(untouched.write, untouched.send)).toBeNull()
})

test('the hash that an object shows of a password is never written back', async () => {
  const bodies: string[] = []
  let shown = '{"name":"Olga","city":"Rom","password":"$2b$12$new"}'
  const send = (draft: RequestDraft): Promise<Exchange> => {
    if (draft.method === 'PUT') {
      bodies.push(draft.body.text)
      shown = '{"name":"Olga","city":"Oslo","password":"$2b$12$newer"}'
    }
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: notes.test\n\n`)
    return Promise.resolve({ ...exchange, response: { ...exchange.response, status: 200, body: shown } })
  }
  const request = draftOf(
    rawSample(
      'PUT http://notes.test/users/7 HTTP/1.1\ncontent-type: application/json\n\n{"city":"Oslo","password":"a1"}',
    ),
  )
  const write = {
    kind: 'CHANGE',
    id: 'a',
    url: 'http://notes.test/users/7',
    before: { kind: 'object', text: '{"name":"Olga","city":"Oslo","password":"$2b$12$old"}' },
    callers: [request],
    sentAtMs: 0,
  } as const
  expect(await undoWrite(write, send)).toBeNull()
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([{ city: 'Oslo', password: 'a1' }])
})
