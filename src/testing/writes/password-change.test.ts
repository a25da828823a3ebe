import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import type { PendingWrite } from './pending-write.ts'
import type { WantedWrite } from './wanted-write.ts'
import { type PairWrites, RunWrites, type WriteLevel } from './write-guard.ts'

const HOST = 'http://shop.test'

function request(method: string, path: string, body: object): RequestDraft {
  return draftOf(
    rawSample(
      `${method} ${HOST}${path} HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n${JSON.stringify(body)}`,
    ),
  )
}

/** A shop with one account, and the writes of a test in it. */
class Shop {
  /** Requests and kept writes in order. */
  readonly story: string[] = []
  readonly kept = new Map<string, PendingWrite>()
  password = 'old'
  acceptsAny = false
  attackIsLost = false

  writes(level: WriteLevel): PairWrites {
    const keeper = {
      keep: (write: PendingWrite) => {
        this.story.push('keep')
        this.kept.set(write.id, write)
        return Promise.resolve()
      },
      done: (id: string) => {
        this.kept.delete(id)
        return Promise.resolve()
      },
      postpone: (_id: string, reason: string) => {
        this.story.push(reason)
        return Promise.resolve()
      },
    }
    const isKnownEndpoint = (_id: number, method: string | null): boolean => method === 'GET'
    const lookups = { ...EMPTY_LOOKUPS, isKnownEndpoint }
    return new RunWrites({ level, undoes: false, keeper, lookups }).begin()
  }

  readonly send = (draft: RequestDraft): Promise<SentRequest> => {
    const { password = '' } = JSON.parse(draft.body.text || '{}') as { password?: string }
    const isSignIn = draft.url.endsWith('/login')
    this.story.push(`${draft.method} ${draft.url.slice(HOST.length)} ${password.slice(0, 5)}`.trim())
    const isAccepted = !isSignIn || this.acceptsAny || password === this.password
    if (draft.method === 'PUT') this.password = password
    if (draft.method === 'PUT' && password === 'random' && this.attackIsLost)
      return Promise.reject(new Failure('TARGET_TIMEOUT', { host: 'shop.test' }))
    const exchange = rawSample(`${draft.method} ${draft.url} HTTP/1.1\nhost: shop.test\n\n`)
    const body = isAccepted ? '{"token":"a-long-opaque-token","password":"$2b$12$x"}' : '{"error":"no"}'
    const response = { ...exchange.response, status: isAccepted ? 200 : 401, body }
    return Promise.resolve({
      exchange: { ...exchange, response } as Exchange,
      responseTimeMs: 1,
      isTruncated: false,
    })
  }

  readonly settle = (draft: RequestDraft): Promise<Exchange> =>
    this.send(draft).then(({ exchange }) => exchange)
}

const START = request('PUT', '/users/7', { password: 'old' })
const ATTACK: WantedWrite = {
  draft: request('PUT', '/users/7', { password: 'random' }),
  start: START,
  sample: null,
  related: [],
  endpoint: { collectionId: 1, method: 'PUT', url: '/users/INTEGER' },
  signIn: request('POST', '/login', { username: 'ann', password: 'old' }),
}

test('a password is changed after its way back is kept, and set back whatever became of the attack', async () => {
  for (const attackIsLost of [false, true]) {
    const shop = new Shop()
    shop.attackIsLost = attackIsLost
    const writes = shop.writes('ALL')
    await writes.send(ATTACK, shop.send).catch(() => {}) // a lost answer is thrown
    expect(shop.story).toEqual(['POST /login Wr0ng', 'POST /login old', 'keep', 'PUT /users/7 rando'])
    expect(shop.password).toBe('random')
    await writes.settle(shop.settle)
    expect(shop.password).toBe('old')
    expect(shop.kept.size).toBe(0)
  }
})

test('no password is changed where the sign-in of its user proves nothing', async () => {
  const [open, stale] = [new Shop(), new Shop()]
  open.acceptsAny = true
  stale.password = 'another'
  for (const shop of [open, stale]) {
    await expect(shop.writes('ALL').send(ATTACK, shop.send)).rejects.toMatchObject({
      code: 'WRITE_NOT_REVERSIBLE',
    })
    expect(shop.story.join()).not.toContain('PUT')
  }
})

test('below ALL no password is changed, not even where the object shows its hash', async () => {
  for (const wanted of [ATTACK, { ...ATTACK, signIn: null }]) {
    const shop = new Shop()
    await expect(
      new RunWrites({
        level: 'REVERSIBLE',
        undoes: true,
        keeper: {
          keep: () => Promise.resolve(),
          done: () => Promise.resolve(),
          postpone: () => Promise.resolve(),
        },
        lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint: () => true },
      })
        .begin()
        .send(wanted, shop.send),
    ).rejects.toMatchObject({ code: 'WRITE_NOT_REVERSIBLE' })
    expect(shop.story.join()).not.toContain('PUT')
  }
})
