import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { draftHeader } from '../attempts/header-edits.ts'
import { draftOf } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import type { PendingWrite } from './pending-write.ts'
import type { WantedWrite } from './wanted-write.ts'
import { RunWrites, type WriteLevel } from './write-guard.ts'

const KEEPER = {
  keep: () => Promise.resolve(),
  done: () => Promise.resolve(),
  postpone: () => Promise.resolve(),
}
const PROMOTION = 'http://beers.test/admin/promote/6'

function recorded(method: string, url: string, status: number, body: string, user = 'leaver'): Exchange {
  const exchange = rawSample(
    `${method} ${url} HTTP/1.1\nhost: beers.test\nauthorization: ${user}\ncontent-type: application/json\n\n{"name":"${user}"}`,
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
    method === 'DELETE' && /\/(?:users|beers)\/\d+$/.test(url)
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

test('a number that another kind of objects was given says nothing about whom a function is for', async () => {
  for (const list of ['beers', 'api/beers', 'admin/beers', 'users/6/beers']) {
    const beer = recorded('POST', `http://beers.test/${list}`, 201, '{"id":6}')
    const sent = await promoted('ALL', [beer])
    expect(sent.filter((line) => !line.startsWith('GET'))).toEqual(['PUT /admin/promote/6'])
  }
})

test('an identifier that two kinds of objects have says nothing', async () => {
  const user = recorded('POST', 'http://beers.test/users', 201, '{"id":6}')
  const beer = recorded('POST', 'http://beers.test/beers', 201, '{"id":6}')
  expect(await promoted('ALL', [user, beer])).toContain('PUT /admin/promote/6')
})

/** Changes the recorded note 7 of olga; @returns who changes what, and whose credentials may delete the note in its place. */
async function changed(related: readonly Exchange[]): Promise<{ sent: string[]; deleters: string[] }> {
  const sent: string[] = []
  const deleters: string[] = []
  const sample = recorded('PUT', 'http://beers.test/notes/7', 200, '{"id":7}', 'olga')
  const draft = draftOf(sample)
  const keep = ({ kind, callers }: PendingWrite): Promise<void> => {
    if (kind === 'CREATE')
      deleters.push(...callers.map((caller) => draftHeader(caller, 'authorization') ?? ''))
    return Promise.resolve()
  }
  const isKnownEndpoint = (_id: number, _method: string | null, url: string): boolean =>
    url.includes('/notes')
  const writes = new RunWrites({
    ...{ level: 'REVERSIBLE', undoes: true, keeper: { ...KEEPER, keep } },
    lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint },
  }).begin()
  const endpoint = { collectionId: 1, method: 'PUT', url: '/notes/INTEGER' }
  await writes.send({ draft, start: draft, sample, related, endpoint }, (one): Promise<SentRequest> => {
    sent.push(`${one.method} ${one.url.replace('http://beers.test', '')} ${one.body.text}`)
    const isNew = one.method === 'POST'
    const exchange = recorded(one.method, one.url, isNew ? 201 : 200, isNew ? '{"id":50}' : '[]')
    return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
  })
  return { sent, deleters: [...new Set(deleters)] }
}

test('an object in place of a recorded one is made as its own user made one, and deleted by that user', async () => {
  const creations = ['otto', 'olga'].map((user) =>
    recorded('POST', 'http://beers.test/notes', 201, '{"id":7}', user),
  )
  const { sent } = await changed(creations)
  expect(sent.filter((line) => !line.startsWith('GET'))).toEqual([
    'POST /notes {"name":"olga"}',
    'PUT /notes/50 {"name":"olga"}',
  ])
  expect((await changed(creations.slice(0, 1))).deleters).toEqual(['olga', 'otto'])
})

/** Deletes the recorded article 6, which is gone; @returns what was sent but reads, and what is kept to be deleted. */
async function deleted(
  level: WriteLevel,
  creation: string,
  answer: string,
  { listed = '[]', undoes = true } = {},
) {
  const sent: string[] = []
  const kept: string[] = []
  const sample = recorded('DELETE', 'http://beers.test/articles/6', 204, '')
  const draft = draftOf(sample)
  const keep = (write: PendingWrite): Promise<void> => {
    if (write.kind === 'CREATE') kept.push(...(write.created ?? []))
    return Promise.resolve()
  }
  const isKnownEndpoint = (_id: number, method: string | null, url: string): boolean =>
    method === 'DELETE' ? /\/(?:articles|comments)\/\d+$/.test(url) : url.endsWith('/articles')
  const writes = new RunWrites({
    ...{ level, undoes, keeper: { ...KEEPER, keep } },
    lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint },
  }).begin()
  const related = [recorded('POST', `http://beers.test${creation}`, 201, answer), sample]
  const endpoint = { collectionId: 1, method: 'DELETE', url: '/articles/INTEGER' }
  const failure = await writes
    .send({ draft, start: draft, sample, related, endpoint }, (one): Promise<SentRequest> => {
      if (one.method !== 'GET') sent.push(`${one.method} ${one.url.replace('http://beers.test', '')}`)
      const [status, body] =
        one.method === 'POST'
          ? [201, '{"id":50}']
          : one.url.endsWith('/articles')
            ? [listed === '' ? 404 : 200, listed]
            : [one.url.endsWith('/50') ? 204 : 404, '']
      const exchange = recorded(one.method, one.url, status, body)
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    })
    .then(
      () => '',
      ({ code }: { code: string }) => code,
    )
  return { sent, kept, failure }
}

test('a deletion acts on an object that is made for it, also where such objects are made at another address', async () => {
  expect(await deleted('ALL', '/articles/create', '{"id":6}')).toEqual({
    sent: ['POST /articles/create', 'DELETE /articles/50'],
    kept: ['http://beers.test/articles/50'],
    failure: '',
  })
  expect((await deleted('ALL', '/articles/create', '{"id":6}', { undoes: false })).sent).toEqual([
    'POST /articles/create',
    'DELETE /articles/50',
  ])
  expect((await deleted('ALL', '/admin/articles/create', '{"id":6}')).sent).toEqual([])
  expect(await deleted('ALL', '/articles/create', '{"id":9}')).toMatchObject({
    failure: 'WRITE_IS_STALE',
    sent: [],
  })
  expect((await deleted('REVERSIBLE', '/articles/create', '{"id":6}')).sent).toEqual([])
})

const TEN = Array.from({ length: 10 }, (_, at) => ({ id: 100 + at }))

test.each([
  ['another kind of object had the identifier', '/comments', '[]'],
  ['what is below the list is not made by a verb', '/articles/import', '[]'],
  ['the verb makes another kind of object', '/articles/add-comment', '[]'],
  ['the list may have further pages', '/articles/create', JSON.stringify(TEN)],
  ['the list had the object before', '/articles/create', '[{"id":50}]'],
  ['the list cannot be read', '/articles/create', ''],
])('an object of somebody is not deleted where %s', async (_why, creation, listed) => {
  for (const undoes of [true, false]) {
    const { sent, kept, failure } = await deleted('ALL', creation, '{"id":6}', { listed, undoes })
    expect([sent.filter((line) => line.startsWith('DELETE')), kept, failure]).toEqual([
      [],
      [],
      'WRITE_IS_STALE',
    ])
  }
})

/** Makes a key below ALL; @returns what was sent. @param status of the recorded deletion of a key */
async function keyMade(status: number): Promise<string[]> {
  const sent: string[] = []
  const sample = recorded('POST', 'http://beers.test/key', 201, '{"id":6}')
  const deletion = recorded('DELETE', 'http://beers.test/key/6', status, '{}')
  const draft = draftOf(sample)
  const writes = new RunWrites({
    ...{ level: 'REVERSIBLE', undoes: true, keeper: KEEPER },
    lookups: {
      ...EMPTY_LOOKUPS,
      isKnownEndpoint: (_id, method, url) => method === 'DELETE' && url.includes('/key/'),
    },
  }).begin()
  const endpoint = { collectionId: 1, method: 'POST', url: '/key' }
  const wanted: WantedWrite = { draft, start: draft, sample, related: [sample, deletion], endpoint }
  await writes
    .send(wanted, (one): Promise<SentRequest> => {
      sent.push(`${one.method} ${one.url.replace('http://beers.test', '')}`)
      const exchange = recorded(one.method, one.url, one.method === 'POST' ? 201 : 404, '{"id":50}')
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    })
    .catch(() => {}) // refused
  return sent.filter((line) => !line.startsWith('GET'))
}

test('nothing is made where everybody was refused deleting such an object', async () => {
  expect(await keyMade(200)).toEqual(['POST /key'])
  expect(await keyMade(404)).toEqual(['POST /key'])
  expect(await keyMade(403)).toEqual([])
})

/**
 * Deletes the recorded account `leaver`, which is gone; @returns what was sent but reads, and what is kept to be deleted.
 * @param creation recorded request that named it
 * @param shows whether accounts that were made are found where the recorded one was
 */
async function left(level: WriteLevel, creation: Exchange, shows = true) {
  const sent: string[] = []
  const kept: string[] = []
  const sample = recorded('DELETE', 'http://beers.test/api/user/leaver', 200, '{}')
  const draft = draftOf(sample)
  const keep = (write: PendingWrite): Promise<void> => {
    if (write.kind === 'CREATE') kept.push(...(write.created ?? []))
    return Promise.resolve()
  }
  const isKnownEndpoint = (_id: number, _method: string | null, url: string): boolean =>
    url.includes('/api/user/')
  const writes = new RunWrites({
    ...{ level, undoes: true, keeper: { ...KEEPER, keep } },
    lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint },
  }).begin()
  const endpoint = { collectionId: 1, method: 'DELETE', url: '/api/user/STRING' }
  const answer = (one: { method: string; url: string }): [status: number, body: string] => {
    if (one.method !== 'GET') return [200, '{"status":"success"}']
    const isThere = shows && !one.url.endsWith('/leaver')
    return isThere ? [200, JSON.stringify({ user: one.url.split('/').at(-1)! })] : [404, '{}']
  }
  const failure = await writes
    .send({ draft, start: draft, sample, related: [creation, sample], endpoint }, (one) => {
      if (one.method !== 'GET')
        sent.push(`${one.method} ${one.url.replace('http://beers.test', '')} ${one.body.text}`)
      const exchange = recorded(one.method, one.url, ...answer(one))
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    })
    .then(
      () => '',
      ({ code }: { code: string }) => code,
    )
  return { sent, kept, failure }
}

test('a deletion by name acts on what is made under a new name as one recorded request made the recorded one', async () => {
  const signUp = recorded('POST', 'http://beers.test/api/register', 200, '{}')
  const { sent, kept, failure } = await left('ALL', signUp)
  const [made = '', gone = '', ...more] = sent
  const name = /^POST \/api\/register \{"name":"(leaver\w+)"\}$/.exec(made)?.[1]
  expect(name).toBeDefined()
  expect(gone).toContain(`DELETE /api/user/${name} `)
  expect([more, failure]).toEqual([[], ''])
  expect(kept).toEqual([`http://beers.test/api/user/${name}`])
  expect((await left('REVERSIBLE', signUp)).sent).toEqual([])
})

test('nothing is deleted in place of what a name belonged to where it is not found under a new one', async () => {
  const signUp = recorded('POST', 'http://beers.test/api/register', 200, '{}')
  const { sent, failure } = await left('ALL', signUp, false)
  expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([])
  expect(failure).toBe('WRITE_IS_STALE')
  const signIn = recorded('POST', 'http://beers.test/api/login', 200, '{"token":"0123456789abcdef"}')
  expect(await left('ALL', signIn)).toEqual({ sent: [], kept: [], failure: 'WRITE_IS_STALE' })
})

const TOKEN = 'x6oici7wh3prgx34fxo1'
const OTHER = 'vfuzd2nvaweojqolm4kq'

/** Deletes a recorded token; @returns what was sent. @param made the answer to the request that makes another one */
async function tokenDeleted(made: unknown, related: readonly Exchange[]): Promise<string[]> {
  const sent: string[] = []
  const sample = recorded('DELETE', `http://beers.test/token/${TOKEN}`, 200, '{"success":true}')
  const draft = draftOf(sample)
  const isKnownEndpoint = (_id: number, method: string | null, url: string): boolean =>
    method === 'DELETE' && url.includes('/token/')
  const writes = new RunWrites({
    ...{ level: 'ALL', undoes: true, keeper: KEEPER },
    lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint },
  }).begin()
  const endpoint = { collectionId: 1, method: 'DELETE', url: '/token/STRING' }
  const wanted: WantedWrite = { draft, start: draft, sample, related: [...related, sample], endpoint }
  await writes.send(wanted, (one): Promise<SentRequest> => {
    sent.push(`${one.method} ${one.url.replace('http://beers.test', '')}`)
    const exchange = recorded(one.method, one.url, one.method === 'GET' ? 405 : 200, JSON.stringify(made))
    return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
  })
  return sent.filter((line) => !line.startsWith('GET'))
}

function tokenMade(token: string, path = 'new_token', user = 'leaver'): Exchange {
  return recorded('POST', `http://beers.test/${path}`, 200, JSON.stringify({ id: 6, token }), user)
}

test('a deletion acts on what the answer to a creation calls it', async () => {
  const made = { id: 7, token: '7eojwd75kqd80m4sm169' }
  const sent = await tokenDeleted(made, [tokenMade(OTHER), tokenMade(TOKEN)])
  expect(sent).toEqual(['POST /new_token', `DELETE /token/${made.token}`])
})

test.each<[string, readonly Exchange[]]>([
  ['gave each caller one name', [tokenMade(TOKEN), tokenMade(OTHER, 'new_token', 'ann')]],
  ['may renew what a caller has', [tokenMade(TOKEN, 'refresh_token'), tokenMade(OTHER, 'refresh_token')]],
  ['is elsewhere', [tokenMade(TOKEN, 'admin/token'), tokenMade(OTHER, 'admin/token')]],
])('nothing is made by a request that %s', async (_, related) => {
  expect(await tokenDeleted({ id: 7 }, related)).toEqual([`DELETE /token/${TOKEN}`])
})

test('what a creation names that recorded answers had already was not made by it', async () => {
  const sent = await tokenDeleted({ id: 7, token: OTHER }, [tokenMade(OTHER), tokenMade(TOKEN)])
  expect(sent).toEqual(['POST /new_token', `DELETE /token/${TOKEN}`])
})

test('a key that a test makes is deleted by the name in its answer', async () => {
  const kept: string[] = []
  const keep = (write: PendingWrite): Promise<void> => {
    if (write.kind === 'CREATE') kept.push(...(write.created ?? []))
    return Promise.resolve()
  }
  const isKnownEndpoint = (_id: number, method: string | null, url: string): boolean =>
    method === 'DELETE' && url.includes('/token/')
  const lookups = { ...EMPTY_LOOKUPS, isKnownEndpoint }
  const deletion = recorded('DELETE', `http://beers.test/token/${TOKEN}`, 200, '{"success":true}')
  const make = async (level: WriteLevel, related: readonly Exchange[]): Promise<string[]> => {
    const sample = tokenMade(OTHER)
    const draft = draftOf(sample)
    const endpoint = { collectionId: 1, method: 'POST', url: '/new_token' }
    const writes = new RunWrites({ level, undoes: true, keeper: { ...KEEPER, keep }, lookups }).begin()
    const answer = tokenMade('7eojwd75kqd80m4sm169')
    await writes
      .send({ draft, start: draft, sample, related: [...related, deletion], endpoint }, () =>
        Promise.resolve({ exchange: answer, responseTimeMs: 1, isTruncated: false }),
      )
      .catch(() => {}) // refused below ALL
    return kept.splice(0)
  }
  const both = [tokenMade(OTHER), tokenMade(TOKEN)]
  expect(await make('ALL', both)).toEqual(['http://beers.test/token/7eojwd75kqd80m4sm169'])
  expect(await make('ALL', both.slice(1))).toEqual([])
  expect(await make('REVERSIBLE', both)).toEqual([])
})

test('what can be restored is changed where nothing may be made in its place', async () => {
  const sent: string[] = []
  const sample = recorded('PUT', 'http://beers.test/users/7', 200, '{"name":"leaver"}')
  const creation = recorded('POST', 'http://beers.test/users', 201, '["made"]')
  const draft = draftOf(sample)
  const lookups = { ...EMPTY_LOOKUPS, isKnownEndpoint: () => true }
  const writes = new RunWrites({ level: 'REVERSIBLE', undoes: true, keeper: KEEPER, lookups }).begin()
  const endpoint = { collectionId: 1, method: 'PUT', url: '/users/INTEGER' }
  await writes.send({ draft, start: draft, sample, related: [creation, sample], endpoint }, (one) => {
    sent.push(`${one.method} ${one.url.replace('http://beers.test', '')}`)
    const [status, body] = one.url.endsWith('/users') ? [403, '{}'] : [200, '{"id":7,"name":"olga"}']
    const exchange = recorded(one.method, one.url, status, body)
    return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
  })
  expect(sent.filter((line) => !line.startsWith('GET'))).toEqual(['PUT /users/7'])
})

test('an account that a test makes is deleted where one of its kind was recorded being deleted by name', async () => {
  const kept: string[] = []
  const keep = (write: PendingWrite): Promise<void> => {
    if (write.kind === 'CREATE') kept.push(...(write.created ?? []))
    return Promise.resolve()
  }
  const isKnownEndpoint = (_id: number, method: string | null): boolean => method === 'DELETE'
  const lookups = { ...EMPTY_LOOKUPS, isKnownEndpoint }
  const make = async (level: WriteLevel, deleted: string): Promise<number> => {
    const sample = recorded('POST', 'http://beers.test/api/register', 200, '{}')
    const related = [sample, recorded('DELETE', `http://beers.test/api/user/${deleted}`, 200, '{}')]
    const draft = draftOf(sample)
    const endpoint = { collectionId: 1, method: 'POST', url: '/api/register' }
    const writes = new RunWrites({ level, undoes: true, keeper: { ...KEEPER, keep }, lookups }).begin()
    await writes
      .send({ draft, start: draft, sample, related, endpoint }, () =>
        Promise.resolve({ exchange: sample, responseTimeMs: 1, isTruncated: false }),
      )
      .catch(() => {}) // refused below ALL
    return kept.splice(0).filter((url) => /\/api\/user\/leaver\w{8}$/.test(url)).length
  }
  expect(await make('ALL', 'leaver')).toBe(1)
  expect(await make('ALL', 'other')).toBe(0)
  expect(await make('REVERSIBLE', 'leaver')).toBe(0)
})
