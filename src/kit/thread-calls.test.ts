import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { Failure } from './failure.ts'
import { ThreadCalls, Transferred } from './thread-calls.ts'

let given: Uint8Array | null = null

const methods = {
  double: (n: number) => n * 2,
  refuse: () => {
    throw new Failure('NOT_HERE', { name: 'x' })
  },
  break: () => {
    throw new TypeError('broken')
  },
  refuseStore: () => {
    throw Object.assign(new Error('no room'), { code: '53100', severity: 'PANIC' })
  },
  give: (length: number) => {
    const bytes = new Uint8Array(length).fill(7)
    given = bytes
    return new Transferred(bytes, [bytes.buffer])
  },
  count: (...all: unknown[]) => all.length,
  wait: (_name: string, signal: AbortSignal) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('aborted'))),
}

let ports: MessagePort[] = []
function pair(): ThreadCalls<typeof methods> {
  const { port1, port2 } = new MessageChannel()
  ports = [port1, port2]
  new ThreadCalls(port2, methods)
  return new ThreadCalls<typeof methods>(port1, {})
}
afterEach(() => {
  for (const port of ports) port.close()
})

test('a call gets its result, and failures keep their code and details', async () => {
  const calls = pair()
  expect(await calls.call('double', [21])).toBe(42)
  await expect(calls.call('refuse', [])).rejects.toMatchObject({ code: 'NOT_HERE', details: { name: 'x' } })
  await expect(calls.call('break', [])).rejects.toThrow('broken')
})

test('an error of a driver keeps its code and severity', async () => {
  await expect(pair().call('refuseStore', [])).rejects.toMatchObject({ code: '53100', severity: 'PANIC' })
})

test('memory is given away in both directions where the caller and the method say so', async () => {
  const calls = pair()
  expect((await calls.call('give', [3])).join()).toBe('7,7,7')
  expect(given!.byteLength).toBe(0)
  const bytes = new Uint8Array(4)
  expect(await calls.call('count', [bytes], { transfer: [bytes.buffer] })).toBe(1)
  expect(bytes.byteLength).toBe(0)
})

test('aborting a call aborts the method that answers it', async () => {
  const abort = new AbortController()
  const waiting = pair().call('wait', ['a'], { signal: abort.signal })
  abort.abort()
  expect(await waiting).toBe('aborted')
})

test('when the other side ends, calls that wait and later ones are refused', async () => {
  const calls = pair()
  const waiting = calls.call('wait', ['a'])
  calls.end(new Error('the thread ended'))
  await expect(waiting).rejects.toThrow('the thread ended')
  await expect(calls.call('double', [1])).rejects.toThrow('the thread ended')
})
