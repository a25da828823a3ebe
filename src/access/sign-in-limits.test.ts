import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore } from '../../test/store-fixture.ts'
import { Failure, setClock } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { SharedFailures } from './shared-failures.ts'
import { SignInLimits } from './sign-in-limits.ts'

let store: Store
let close: () => Promise<void>

beforeAll(async () => {
  const opened = await openTestStore()
  store = opened.store
  close = opened.close
}, 240_000)
afterAll(() => close?.())

/** The answer to an attempt that fails: how many seconds it must wait; 0 when it was let through. */
async function waitOf(
  limits: SignInLimits,
  account: string,
  address: string,
  device: string | null = null,
): Promise<number> {
  try {
    await limits.take({ account, address, device })
    return 0
  } catch (error) {
    if (error instanceof Failure && error.code === 'TOO_MANY_REQUESTS')
      return Number(error.details['retryAfterSeconds'])
    throw error
  }
}

/** Runs `work` the given number of seconds later. */
async function later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const restore = setClock(() => Date.now() + seconds * 1000)
  try {
    return await work()
  } finally {
    restore()
  }
}

/** Waits of attempts, one after the other. */
async function waitsOf(count: number, wait: (n: number) => Promise<number>): Promise<number[]> {
  const waits: number[] = []
  for (let n = 0; n < count; n++) waits.push(await wait(n))
  return waits
}

const shared = () => new SharedFailures(store, Buffer.from('key of the failures'))

describe.each([
  ['one process', () => new SignInLimits(null)],
  ['all processes of a store', () => new SignInLimits(shared())],
] as const)('the limits of %s', (_which, newLimits) => {
  beforeEach(() => store.pool.query('TRUNCATE sign_in_failures'))

  test('guessing one account from many addresses is slowed down more and more', async () => {
    const limits = newLimits()
    const now = Date.now()
    const restore = setClock(() => now)
    const waits = await waitsOf(60, (n) => waitOf(limits, 'ada@example.org', `192.0.2.${n}`))
    restore()
    expect(waits.slice(0, 10)).toEqual(Array(10).fill(0))
    expect(waits.slice(10).every((wait) => wait === 1)).toBe(true)
    const spaced = []
    for (const seconds of [2, 4, 7, 12, 21]) {
      const restoreLater = setClock(() => now + seconds * 1000)
      spaced.push(await waitsOf(2, () => waitOf(limits, 'ada@example.org', '198.51.100.1')))
      restoreLater()
    }
    expect(spaced).toEqual([
      [0, 2],
      [0, 4],
      [1, 1],
      [0, 8],
      [0, 16],
    ])
    expect(await later(4000, () => waitOf(limits, 'ada@example.org', '198.51.100.1'))).toBe(0)
  })

  test('guessing one account does not lock out other accounts behind the same proxy', async () => {
    const limits = newLimits()
    await waitsOf(200, () => waitOf(limits, 'ada@example.org', '192.0.2.1'))
    expect(await waitOf(limits, 'bob@example.org', '192.0.2.1')).toBe(0)
  })

  test('guessing many accounts delays others behind the same proxy by seconds at most', async () => {
    const limits = newLimits()
    await waitsOf(300, (n) => later(n * 11, () => waitOf(limits, `guess-${n}@example.org`, '192.0.2.1')))
    const wait = await later(3290, () => waitOf(limits, 'bob@example.org', '192.0.2.1'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(10)
    expect(await later(3290, () => waitOf(limits, 'bob@example.org', '192.0.2.2'))).toBe(0)
  })

  test('failures of a known browser are counted separately, whatever others do', async () => {
    const limits = newLimits()
    await waitsOf(300, (n) => waitOf(limits, 'ada@example.org', `192.0.2.${n % 250}`))
    const known = () => waitOf(limits, 'ada@example.org', '192.0.2.1', 'device')
    expect(await waitsOf(10, known)).toEqual(Array(10).fill(0))
    expect(await known()).toBeGreaterThan(0)
    expect(await waitOf(limits, 'ada@example.org', '192.0.2.1', 'other device')).toBe(0)
  })

  test('attempts of one IPv6 network count together, and simultaneous ones before their outcome', async () => {
    const limits = newLimits()
    const attempt = { account: 'ada@example.org', address: '2001:db8:1:2::1', device: null }
    const now = Date.now()
    const restore = setClock(() => now)
    try {
      const taken = await Promise.all(Array.from({ length: 10 }, () => limits.take(attempt)))
      expect(await waitOf(limits, 'ada@example.org', '2001:db8:1:3::9')).toBe(1)
      for (const wasNoFailure of taken) await wasNoFailure()
      expect(await waitOf(limits, 'ada@example.org', '2001:db8:1:3::9')).toBe(0)
      await waitsOf(40, (n) => waitOf(limits, `${n}@example.org`, `2001:db8:1:2::${n}`))
      expect(await waitOf(limits, 'bob@example.org', '2001:db8:1:2:3:4:5:6')).toBeGreaterThan(0)
      expect(await waitOf(limits, 'bob@example.org', '2001:db8:1:9::6')).toBe(0)
    } finally {
      restore()
    }
  })
})

test('several processes of a store have one limit together, and keep nothing that was typed', async () => {
  const processes = [1, 2, 3].map(() => new SignInLimits(shared()))
  const now = Date.now()
  const restore = setClock(() => now)
  try {
    const attempts = Array.from({ length: 30 }, (_, n) =>
      waitOf(processes[n % 3]!, 'typed-by-mistake', `192.0.2.${n}`),
    )
    const waits = await Promise.all(attempts)
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
    expect(await waitOf(new SignInLimits(shared()), 'typed-by-mistake', '198.51.100.1')).toBe(1)
    const { rows } = await store.pool.query('SELECT * FROM sign_in_failures')
    expect(rows.length).toBeGreaterThanOrEqual(10)
    expect(JSON.stringify(rows)).not.toContain('typed')
    await later(3700, () => waitOf(processes[0]!, 'somebody else', '192.0.2.1'))
    expect((await store.pool.query('SELECT FROM sign_in_failures')).rowCount).toBeLessThanOrEqual(rows.length)
  } finally {
    restore()
  }
})
