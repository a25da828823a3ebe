import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestServer } from '../../test/harness.ts'
import { sharing as test } from '../../test/shared-server.ts'
import { errorCodeHeader } from '../contract/index.ts'

let server: TestServer

test.beforeAll(async ({ shared }) => {
  server = shared
})

const endpoint = (n: number) => ({
  apiCollectionId: 1_679_459_648,
  method: 'GET',
  url: `https://shop.test/rest/users/profiles/settings/${'x'.repeat(900)}${n}`,
})

/** Bodies of nearly 10 MiB: many values in a field nobody reads, one long list, one long text, broken, too deep. */
const bodies: [about: string, operation: string, body: string, answer: string][] = [
  ['empty objects', 'fetchOwnUser', `{"a":[${'{},'.repeat(3_400_000)}{}]}`, '200 null'],
  [
    'endpoint keys',
    'deleteApis',
    JSON.stringify({ apiList: Array.from({ length: 9_900 }, (_, n) => endpoint(n)) }),
    '200 null',
  ],
  [
    'too many items',
    'updateEnvType',
    `{"envType":[],"apiCollectionIds":[${'1,'.repeat(5_000_000)}1]}`,
    '422 INVALID_FIELD',
  ],
  [
    'one text',
    'convertSampleDataToCurl',
    JSON.stringify({ sampleData: 'x'.repeat(10_000_000) }),
    '422 INVALID_SAMPLE_DATA',
  ],
  ['broken at its end', 'fetchOwnUser', `{"a":[${'{},'.repeat(3_400_000)}`, '400 INVALID_JSON_BODY'],
  ['deep at its end', 'fetchOwnUser', `{"a":[${'1,'.repeat(5_000_000)}${'['.repeat(200)}`, '422 TOO_DEEP'],
]

const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Longest time for which this thread computed at a stretch while a call was answered, in milliseconds: what a call beside
 * it waits at least. Time on the clock would count what other processes of the machine take.
 */
async function stretchDuring(call: () => Promise<void>): Promise<number> {
  let longest = 0
  let isOver = false
  const watching = (async () => {
    for (let last = computedMs(); !isOver; ) {
      await pause(1)
      const now = computedMs()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  await call()
  isOver = true
  await watching
  return longest
}

/**
 * Longest stretch that holds up nobody, in milliseconds: 100, and on a slower processor a quarter of the time that it takes
 * to parse such a body at once.
 */
function patienceMs(): number {
  const before = computedMs()
  JSON.parse(bodies[0]![2])
  return Math.max(100, (computedMs() - before) / 4)
}

test.each(bodies)(
  'a body of 10 MiB with %s holds up no other call',
  async (_about, operation, body, expected) => {
    const bytes = Buffer.from(body)
    const stretches: number[] = []
    const patience = patienceMs()
    // The first calls compile what they run, and garbage of other tests is collected when it is: the least counts.
    for (let n = 0; n < 8 && Math.min(...stretches) >= patience; n++) {
      stretches.push(
        await stretchDuring(async () => {
          const answer = await server.post(`/api/${operation}`, bytes)
          expect(`${answer.status} ${answer.headers.get(errorCodeHeader)}`).toBe(expected)
        }),
      )
    }
    expect(Math.min(...stretches)).toBeLessThan(patience)
  },
)
