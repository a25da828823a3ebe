import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { createSealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { claimFlow, createFlow, endFlow, findFlow, keepFlow, latestFlow, openFlowResult } from './index.ts'

let store: Store
let close: () => Promise<void>
const sealer = createSealer('an instance key of the tests')
const asked = {
  ownerId: 1,
  roleName: 'CUSTOMER',
  executor: null,
  content: '[{"action":"navigate"}]',
  tokenFetchCommand: 'document.title',
}

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
  await store.pool.query(
    `INSERT INTO users (id, login, password_hash, role, created_at) VALUES (1, 'ada@example.org', '', 'ADMIN', 0)`,
  )
})
afterAll(() => close())

describe('the recorded flows of a person', () => {
  test('uploaded at once leave one that is played', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => createFlow(store, sealer, asked)))
    const kept = await latestFlow(store, 1)
    expect(ids).toContain(kept?.id)
    expect(await claimFlow(store, sealer, 60)).toMatchObject({ id: kept?.id, content: asked.content })
    expect(await claimFlow(store, sealer, 60)).toBeNull()
  })

  test('end when a later one takes the place, whatever had become of them', async () => {
    const first = await createFlow(store, sealer, asked)
    await claimFlow(store, sealer, 60)
    const second = await createFlow(store, sealer, { ...asked, content: '[]' })
    expect(await keepFlow(store, first)).toBe(false)
    await endFlow(store, sealer, first, { result: 'too late' })
    expect(await findFlow(store, first)).toBeNull()

    expect(await claimFlow(store, sealer, 60)).toMatchObject({ id: second, content: '[]' })
    await endFlow(store, sealer, second, { result: 'a token' })
    expect(openFlowResult(sealer, (await findFlow(store, second))!)).toBe('a token')

    const third = await createFlow(store, sealer, asked)
    expect(await findFlow(store, third)).toMatchObject({ state: 'SCHEDULED', sealedResult: null, endedAt: 0 })
  })
})
