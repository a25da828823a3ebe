import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { ThreadCalls, type ThreadPort } from './thread-calls.ts'
import {
  beginTracing,
  type FinishedSpan,
  inSpan,
  readTraceParent,
  restoredContext,
  storableContext,
  withWorkContext,
  workContext,
  writeTraceParent,
} from './tracing.ts'

const PARENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true }

test('a traceparent is read as W3C Trace Context has it, and written again', () => {
  const text = writeTraceParent(PARENT)
  expect(text).toBe(`00-${PARENT.traceId}-${PARENT.spanId}-01`)
  expect(readTraceParent(text)).toEqual(PARENT)
  expect(readTraceParent(`01-${PARENT.traceId}-${PARENT.spanId}-00-more`)).toEqual({
    ...PARENT,
    isSampled: false,
  })
  for (const broken of [
    '',
    'x',
    text.replace('00-', 'ff-'),
    `00-${'0'.repeat(32)}-${PARENT.spanId}-01`,
    `00-${PARENT.traceId}-${'0'.repeat(16)}-01`,
    text.toUpperCase(),
    `${text}1`,
  ])
    expect(readTraceParent(broken), broken).toBeNull()
})

test('spans are parts of those around them, name what went wrong, and are left out of traces that are not recorded', async () => {
  const spans: FinishedSpan[] = []
  const end = beginTracing({ ratio: 1, followsParent: true }, (span) => spans.push(span))
  try {
    const failing = inSpan('outer', { mayBegin: true }, () =>
      inSpan('inner', { kind: 'client' }, async () => {
        throw Object.assign(new Error('value "secret" is wrong'), { code: '23505' })
      }),
    )
    await expect(failing).rejects.toThrow('secret')
    const [inner, outer] = spans as [FinishedSpan, FinishedSpan]
    expect(inner).toMatchObject({ name: 'inner', kind: 'client', hasFailed: true })
    expect(inner.parent).toEqual(outer.context)
    expect(outer).toMatchObject({ name: 'outer', parent: null, attributes: { 'error.type': '23505' } })
    expect(JSON.stringify(spans)).not.toContain('secret')

    spans.length = 0
    await inSpan('maintenance', {}, async () => {})
    const unrecorded = { requestId: null, trace: { ...PARENT, isSampled: false } }
    await inSpan('call', { context: unrecorded, mayBegin: true }, async () =>
      inSpan('part', {}, async () => {}),
    )
    expect(spans).toEqual([])
  } finally {
    end()
  }
})

test('of the traces that begin here the share of the sampler is recorded, whatever callers say', async () => {
  let count = 0
  const end = beginTracing({ ratio: 0.25, followsParent: false }, () => count++)
  try {
    for (let call = 0; call < 2000; call++) await inSpan('call', { mayBegin: true }, async () => {})
    expect(count).toBeGreaterThan(350)
    expect(count).toBeLessThan(650)
    count = 0
    const context = { requestId: null, trace: { ...PARENT, traceId: 'f'.repeat(32) } }
    await inSpan('call', { context, mayBegin: true }, async () => {})
    expect(count).toBe(0)
  } finally {
    end()
  }
})

test('the request goes along to other threads and into their log lines', async () => {
  const [here, there] = [new EventEmitter(), new EventEmitter()]
  const port = (own: EventEmitter, other: EventEmitter): ThreadPort => ({
    postMessage: (message) => void setImmediate(() => other.emit('message', structuredClone(message))),
    on: (event, listener) => own.on(event, listener),
  })
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  new ThreadCalls(port(there, here), {
    work: async () => {
      log.info('crawl.taken', { crawlId: 'c1' })
      return workContext()
    },
  })
  const calls = new ThreadCalls<{ work: () => Promise<unknown> }>(port(here, there), {})
  const context = { requestId: 'r1', trace: PARENT }
  expect(await withWorkContext(context, () => calls.call('work', []))).toEqual(context)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    event: 'crawl.taken',
    requestId: 'r1',
    traceId: PARENT.traceId,
    spanId: PARENT.spanId,
  })
  expect(await calls.call('work', [])).toBeNull()
  expect(JSON.parse(lines[1]!)).not.toHaveProperty('requestId')
})

test('the request goes along to other processes by the store', () => {
  const context = { requestId: 'r1', trace: PARENT }
  const stored = withWorkContext(context, storableContext)
  expect(restoredContext(JSON.parse(stored!))).toEqual(context)
  expect(withWorkContext(null, storableContext)).toBeNull()
  expect(restoredContext(null)).toBeNull()
})
