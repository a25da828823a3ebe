import { afterEach, expect, test } from 'vitest'
import { OnDemandThread } from './on-demand-thread.ts'

const THREAD = `
import { parentPort, threadId } from 'node:worker_threads'
import { ThreadCalls } from '${new URL('./thread-calls.ts', import.meta.url)}'
new ThreadCalls(parentPort, {
  id: () => threadId,
  exit: () => process.exit(1),
  wait: () => new Promise(() => {}),
})`

type Methods = { id(): number; exit(): void; wait(): void }
let thread: OnDemandThread<Methods>

function open(idleMs: number): OnDemandThread<Methods> {
  thread = new OnDemandThread({
    module: new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`),
    limits: {},
    idleMs,
  })
  return thread
}

const id = (): Promise<number> => thread.use((calls) => calls.call('id', []))

afterEach(() => thread.end())

test('it starts with its first use, ends when idle, and starts again', async () => {
  open(5)
  expect(thread.isRunning).toBe(false)
  const first = await id()
  await expect.poll(() => thread.isRunning).toBe(false)
  expect(await id()).not.toBe(first)
})

test('it stays for as long as one use takes', async () => {
  open(0)
  const ids = await thread.use(async (calls) => {
    const first = await calls.call('id', [])
    await id()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return [first, await calls.call('id', [])]
  })
  expect(ids[1]).toBe(ids[0])
})

test('when it dies, what waits is refused and the next use starts another', async () => {
  open(10_000)
  const first = await id()
  const waiting = thread.use((calls) => calls.call('wait', []))
  await expect(thread.use((calls) => calls.call('exit', []))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  await expect(waiting).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  expect(await id()).not.toBe(first)
})
