import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { startedRun } from '../../../test/test-results.ts'
import { createSealer, newHexId, newInstanceKey } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import type { PendingCreation } from '../writes/pending-write.ts'
import { postponeWrite, takeDueWrites, writeKeeper } from './run-writes.ts'

const sealer = createSealer(newInstanceKey())
let opened: Awaited<ReturnType<typeof openTestStore>>
let store: Store

beforeAll(async () => {
  opened = await openTestStore()
  store = opened.store
})
afterAll(() => opened.close())

function draftOf(token: string): RequestDraft {
  const body = { text: '', recorded: { text: '', isBase64: false, contentType: '', jsonForm: '' } }
  const headers = [{ name: 'authorization', value: token }]
  return {
    ...{ method: 'POST', url: 'http://shop.test/orders', query: '', headers, body },
    ...{ followRedirects: false, files: [], isMethodSet: false, identity: null },
  }
}

function creation(token: string): PendingCreation {
  const url = 'http://shop.test/orders'
  return {
    id: newHexId(),
    kind: 'CREATE',
    url,
    callers: [draftOf(token)],
    sentAtMs: 0,
    created: null,
    listed: null,
  }
}

/** An execution whose role EVE has the session `now`, and what its log says. */
async function execution() {
  const ids = await startedRun(store)
  const session = { now: 'first' }
  const roleOf = ({ headers }: RequestDraft): string | null =>
    headers[0]?.value === session.now ? 'EVE' : null
  const keeper = writeKeeper(
    store,
    sealer,
    { ...ids, user: 'ann' },
    { roleOf, loginOrigin: 'http://shop.test' },
  )
  const problems = async (): Promise<string[]> => {
    const { rows } = await store.pool.query<{ sentence: string }>(
      'SELECT sentence FROM run_problems WHERE summary_id = $1',
      [ids.summaryId],
    )
    return rows.map(({ sentence }) => sentence)
  }
  const take = (...tried: string[]) => takeDueWrites(store, sealer, { summaryId: ids.summaryId, tried })
  return { keeper, session, problems, take }
}

test('what a test could not undo is tried once more at the end, and only then heard of', async () => {
  const { keeper, problems, take } = await execution()
  const write = creation('first')
  await keeper.keep(write)
  await keeper.postpone(write.id, 'it was refused')
  expect(await problems()).toEqual([])
  expect((await take()).map((due) => due.write.id)).toEqual([write.id])
  expect(await take(), 'another process has it').toEqual([])
  await postponeWrite(store, write.id, 'it was refused')
  expect(await problems()).toEqual(['Not undone yet: it was refused. Vigil tries again.'])
  expect(await take(), 'later tries wait').toEqual([])
})

test('what is tried for the first time at the end is not tried again at once', async () => {
  const { keeper, problems, take } = await execution()
  const write = creation('first')
  await keeper.keep(write)
  expect(await take()).toHaveLength(1)
  await postponeWrite(store, write.id, 'it is down')
  expect(await take(write.id)).toEqual([])
  expect(await problems()).toEqual(['Not undone yet: it is down. Vigil tries again.'])
})

test('a write keeps the role that sent it when its session is renewed meanwhile', async () => {
  const { keeper, session, take } = await execution()
  const write = creation('first')
  await keeper.keep(write)
  session.now = 'second'
  await keeper.keep({ ...write, created: ['http://shop.test/orders/7'] })
  const [due] = await take()
  expect(due?.write).toMatchObject({
    created: ['http://shop.test/orders/7'],
    callers: [{ role: 'EVE' }],
    loginOrigin: 'http://shop.test',
  })
})
