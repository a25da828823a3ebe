import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '../../contract/browser.ts'
import { askAgain, isAskedAgain, keptError, queryClient } from './query-client.ts'

const broken = new CallError(500, ['Broken'], null)
let stop: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  for (const one of stop) one()
  stop = []
  queryClient.clear()
  vi.useRealTimers()
})

/** A page that reads: `answers` says what each request meets, and `asked` how many there were. */
function read(answers: (asked: number) => Promise<unknown>) {
  let asked = 0
  const queryKey = ['read', Math.random()]
  const observer = new QueryObserver(queryClient, { queryKey, queryFn: () => answers(++asked) })
  stop.push(observer.subscribe(() => {}))
  const query = queryClient.getQueryCache().find({ queryKey })!
  return { query, asked: () => asked }
}

/** Lets seconds pass; the banner asks again in each of them. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await vi.advanceTimersByTimeAsync(1_000)
    askAgain(queryClient)
    await vi.advanceTimersByTimeAsync(0)
  }
}

test('what meets a fault of the server is asked again after 5, 10, 20 and 40 seconds, then no longer', async () => {
  const { query, asked } = read(() => Promise.reject(broken))
  await vi.advanceTimersByTimeAsync(0)
  const counts: number[] = []
  for (const seconds of [4, 2, 10, 20, 40]) {
    await pass(seconds)
    counts.push(asked())
  }
  expect(counts).toEqual([1, 2, 3, 4, 5])
  expect(isAskedAgain(query)).toBe(false)
  await pass(200)
  expect(asked()).toBe(5)
})

test('an answer in between begins the count anew', async () => {
  const { query, asked } = read((times) => (times === 5 ? Promise.resolve('x') : Promise.reject(broken)))
  await pass(90)
  expect([asked(), isAskedAgain(query)]).toEqual([5, false])
  await queryClient.refetchQueries({ type: 'active' })
  expect(isAskedAgain(query)).toBe(true)
})

test('a server that does not answer is asked every five seconds until it does', async () => {
  const { asked } = read((times) => (times > 40 ? Promise.resolve('x') : Promise.reject(new TypeError())))
  await pass(300)
  expect(asked()).toBe(41)
})

test('a fault behind a server that was away for long is asked again as often as any', async () => {
  const { asked } = read((times) => Promise.reject(times > 20 ? broken : new TypeError()))
  await pass(400)
  expect(asked()).toBe(25)
})

test('a request that takes longer than the pause is waited for', async () => {
  const { query, asked } = read((times) =>
    times === 1 ? Promise.resolve('x') : times === 2 ? Promise.reject(broken) : new Promise(() => {}),
  )
  await vi.advanceTimersByTimeAsync(0)
  await queryClient.refetchQueries({ type: 'active' })
  await pass(60)
  expect([asked(), query.state.fetchStatus]).toEqual([3, 'fetching'])
})

test('the failure is kept while what failed is asked again, and gone with the answer', async () => {
  const answers: ((answer: string) => void)[] = []
  const { query } = read((times) =>
    times === 1 ? Promise.reject(broken) : new Promise((resolve) => answers.push(resolve)),
  )
  expect(keptError(query)).toBeNull()
  await pass(6)
  expect([query.state.status, keptError(query), isAskedAgain(query)]).toEqual(['pending', broken, true])
  answers[0]!('x')
  await vi.advanceTimersByTimeAsync(0)
  expect([query.state.data, keptError(query), isAskedAgain(query)]).toEqual(['x', null, false])
})

test('a refusal is neither asked again nor kept', async () => {
  const { query, asked } = read(() => Promise.reject(new CallError(404, ['Gone'], 'NOT_FOUND')))
  await pass(60)
  expect([asked(), isAskedAgain(query)]).toEqual([1, false])
  const again = query.fetch()
  expect([query.state.fetchStatus, keptError(query)]).toEqual(['fetching', null])
  await expect(again).rejects.toThrow('Gone')
})
