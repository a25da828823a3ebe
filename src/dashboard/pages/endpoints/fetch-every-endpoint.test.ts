import { afterEach, expect, test, vi } from 'vitest'
import { client } from '../../data/client.ts'
import { fetchEveryEndpoint } from './fetch-every-endpoint.ts'

afterEach(() => vi.restoreAllMocks())

/** A server with the given number of endpoints, which stops counting at 10,000. */
function serverWith(count: number): void {
  const answer = async (_name: string, { skip = 0, limit = 0 }: { skip?: number; limit?: number }) => ({
    endpoints: Array.from({ length: Math.min(limit, count - skip) }, (_, at) => skip + at),
    total: Math.min(count, 10_000),
    isTotalExact: count <= 10_000,
  })
  vi.spyOn(client, 'call').mockImplementation(answer as unknown as typeof client.call)
}

test.each([0, 499, 500, 1_200, 10_000])('fetches every one of %d endpoints', async (count) => {
  serverWith(count)
  expect(await fetchEveryEndpoint({})).toEqual(Array.from({ length: count }, (_, at) => at))
})

test('fetches none where more meet the filters than can be chosen', async () => {
  serverWith(10_001)
  await expect(fetchEveryEndpoint({})).rejects.toThrow('More than 10000 endpoints meet the filters')
})
