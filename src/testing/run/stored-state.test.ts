import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, MessageView } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { Trial } from './judge.ts'
import { type LaterRead, readStored } from './stored-state.ts'

const CARDS = 'http://bank.test/cards'

function answered(method: string, url: string, body: unknown): Exchange {
  const exchange = rawSample(
    `${method} ${url} HTTP/1.1\nhost: bank.test\ncontent-type: application/json\n\n{"limit":5}`,
  )
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, headers, body: JSON.stringify(body) } }
}

/** What the list of cards shows after a request made a card. */
function readAfter(made: unknown, list: unknown): Promise<LaterRead | null> {
  const write = answered('POST', `${CARDS}/create`, made)
  const tools = {
    lookups: {
      ...EMPTY_LOOKUPS,
      isKnownEndpoint: (_id: number, _method: string | null, url: string) => url === CARDS,
    },
    send: () =>
      Promise.resolve({ exchange: answered('GET', CARDS, list), responseTimeMs: 1, isTruncated: false }),
  }
  const trial = {
    template: { id: 'T', needs: [], execute: { steps: [] } },
    endpoint: { collectionId: 1, method: 'POST', url: '/cards/create' },
    sample: new MessageView(write),
    start: draftOf(write),
    tools,
  } as unknown as Trial
  return readStored(trial, draftOf(write), write)
}

async function shownAfter(made: unknown, list: unknown): Promise<string | undefined> {
  return (await readAfter(made, list))?.shown.response.body
}

const OTHER = { id: 2, balance: 484811, limit: 5 }

test('a list shows what was made by its own entry, and nothing of other objects', async () => {
  const made = { card: { id: 7, limit: 5 } }
  const own = { id: 7, balance: 0, limit: 5 }
  expect(await shownAfter(made, { cards: [OTHER, own] })).toBe(JSON.stringify(own))
  expect(await shownAfter(made, [own])).toBe(JSON.stringify(own))
  expect(await shownAfter({ id: 7, user: { id: 2 } }, [OTHER, own])).toBe(JSON.stringify(own))
})

test('a list without what was made is a read that shows nothing of it', async () => {
  const later = await readAfter({ card: { id: 7, limit: 5 } }, [OTHER])
  expect(later?.state).toBe('not listed')
  expect(later?.shown.response).toMatchObject({ status: 200, body: '' })
})

test('what neither the answer nor the list names is read as a whole', async () => {
  expect(await shownAfter({ done: true }, [OTHER])).toBe(JSON.stringify([OTHER]))
  expect(await shownAfter({ id: 7 }, { balance: 4 })).toBe('{"balance":4}')
  const cart = { id: 9, items: [{ id: 3, balance: 1 }] }
  expect(await shownAfter({ id: 9 }, cart)).toBe(JSON.stringify(cart))
  const user = { user: { id: 7, role: 'user', addresses: [{ id: 1 }] } }
  expect(await shownAfter({ id: 7 }, user)).toBe(JSON.stringify(user))
  const resource = { data: { id: 7, attributes: { limit: 5 } }, included: [{ id: 1 }] }
  expect(await shownAfter({ id: 7 }, resource)).toBe(JSON.stringify(resource))
})

test('an object whose only name is another one is not what was made', async () => {
  const older = { version: '1', limit: 5 }
  expect((await readAfter({ version: '2' }, older))?.state).toBe('not listed')
  expect((await readAfter({ version: '1' }, older))?.state).toBe('as sent')
  expect((await readAfter({ limit: 7 }, older))?.state).toBe('as sent')
  expect((await readAfter({ balance: 7 }, { ...older, balance: 3 }))?.state).toBe('as sent')
})

/** What a later read shows after a deletion, by its answer. */
async function stateAfter(body: string): Promise<string | undefined> {
  const url = 'http://bank.test/users/ann'
  const deletion = rawSample('DELETE /users/ann HTTP/1.1\nhost: bank.test\n\n')
  const send = (): Promise<unknown> => {
    const read = rawSample('GET /users/ann HTTP/1.1\nhost: bank.test\n\n')
    const exchange = { ...read, response: { ...read.response, status: 200, body } }
    return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
  }
  const trial = {
    template: { id: 'T', needs: [], execute: { steps: [] } },
    endpoint: { collectionId: 1, method: 'DELETE', url: '/users/STRING' },
    start: draftOf(deletion),
    tools: { lookups: EMPTY_LOOKUPS, send },
  } as unknown as Trial
  const draft = { ...draftOf(deletion), url }
  return (await readStored(trial, draft, deletion))?.state
}

test('an answer with null in place of the object shows that it is gone', async () => {
  expect(await stateAfter('{"status":"success","user":null}')).toBe('gone')
  expect(await stateAfter('{"status":"success","user":{"name":"ann"}}')).toBe('shown')
  expect(await stateAfter('{"success":true,"code":200,"data":null}')).toBe('gone')
  expect(await stateAfter('null')).toBe('gone')
})

test('a field of an object that is null, and a refusal with null, do not show that it is gone', async () => {
  expect(await stateAfter('{"id":7,"name":"ann","phone":null}')).toBe('shown')
  expect(await stateAfter('{"status":"active","canceledAt":null}')).toBe('shown')
  expect(await stateAfter('{"message":"hi","parentId":null}')).toBe('shown')
  expect(await stateAfter('{"code":401,"message":"token expired","data":null}')).toBe('shown')
  expect(await stateAfter('{"success":false,"error":"forbidden","data":null}')).toBe('shown')
})

test('a reset that names its user beside the password is not a sign-up', async () => {
  const message = (method: string, path: string, sent: object, body: object): Exchange => {
    const exchange = rawSample(
      `${method} http://bank.test${path} HTTP/1.1\nhost: bank.test\nauthorization: Bearer ann\ncontent-type: application/json\n\n${JSON.stringify(sent)}`,
    )
    return { ...exchange, response: { ...exchange.response, body: JSON.stringify(body) } }
  }
  const ann = (password: string) => ({ username: 'ann', password })
  const given = { token: 'a-long-opaque-token' }
  const signIn = message('POST', '/login', ann('old'), given)
  const reset = message('POST', '/users/reset', ann('new'), { changed: true })
  const asked: string[] = []
  const tools = {
    lookups: EMPTY_LOOKUPS,
    relatedTo: () => [message('GET', '/me', {}, ann('old')), signIn],
    signInOf: () => signIn,
    send: (draft: RequestDraft) => {
      asked.push(draft.url)
      const isRight = draft.body.text.includes('"new"')
      const exchange = message('POST', '/login', {}, isRight ? given : { error: 'wrong password' })
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    },
  }
  const change = { operations: [{ kind: 'operation', name: 'change_password' }] }
  const trial = {
    template: { id: 'T', needs: [], execute: { steps: [change] } },
    endpoint: { collectionId: 1, method: 'POST', url: '/users/reset' },
    sample: new MessageView(reset),
    start: draftOf(message('POST', '/users/reset', ann('old'), {})),
    tools,
  } as unknown as Trial
  expect((await readStored(trial, draftOf(reset), reset))?.state).toBe('as sent')
  expect(asked).toEqual(['http://bank.test/login', 'http://bank.test/login'])
})

test('values that are equal by chance are not what was sent, where the object itself was read', async () => {
  const write = answered('POST', `${CARDS}/create`, { id: 7 })
  const sent = { ...write, request: { ...write.request, body: '{"from":2,"to":5}' } }
  const tools = {
    lookups: {
      ...EMPTY_LOOKUPS,
      isKnownEndpoint: (_id: number, _method: string | null, url: string) => url === CARDS,
    },
    send: () =>
      Promise.resolve({
        exchange: answered('GET', CARDS, { id: 7, a: 2, b: 5 }),
        responseTimeMs: 1,
        isTruncated: false,
      }),
  }
  const trial = {
    template: { id: 'T', needs: [], execute: { steps: [] } },
    endpoint: { collectionId: 1, method: 'POST', url: '/cards/create' },
    sample: new MessageView(sent),
    start: draftOf(sent),
    tools,
  } as unknown as Trial
  expect((await readStored(trial, draftOf(sent), sent))?.state).toBe('unknown')
})

test('what became of a deletion that another request carried out is only read', async () => {
  const recorded = answered('DELETE', 'http://bank.test/v1/token/7', {})
  const attack = answered('DELETE', 'http://bank.test/v2/token/7', {})
  const methods: string[] = []
  const send = ({ method, url }: RequestDraft): Promise<unknown> => {
    methods.push(method)
    const exchange = answered(method, url, { success: false, error: 'The default token cannot be deleted' })
    const response = { ...exchange.response, status: method === 'GET' ? 405 : 200 }
    return Promise.resolve({ exchange: { ...exchange, response }, responseTimeMs: 1, isTruncated: false })
  }
  const trial = {
    template: { id: 'T', needs: [], execute: { steps: [] } },
    endpoint: { collectionId: 1, method: 'DELETE', url: '/v1/token/INTEGER' },
    sample: new MessageView(recorded),
    start: draftOf(recorded),
    tools: { lookups: EMPTY_LOOKUPS, send },
  } as unknown as Trial
  expect((await readStored(trial, draftOf(recorded), attack))?.state).toBe('unknown')
  expect(methods).toEqual(['GET'])
})
