import { expect, test } from 'vitest'
import { readServerEvents, type ServerEvent } from './server-events.ts'

async function eventsOf(...chunks: string[]): Promise<ServerEvent[]> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk))
  const events: ServerEvent[] = []
  for await (const event of readServerEvents(ReadableStream.from(bytes) as ReadableStream<Uint8Array>))
    events.push(event)
  return events
}

test('events are read wherever the network cuts them, comments are events without a name', async () => {
  expect(
    await eventsOf('event: rea', 'dy\ndata: {}\n', '\n: heartbeat\n\nevent: changed\ndata: {"a":1}\n\nevent'),
  ).toEqual([
    { name: 'ready', data: '{}' },
    { name: '', data: '' },
    { name: 'changed', data: '{"a":1}' },
  ])
})

test('an event that never ends is refused', async () => {
  await expect(eventsOf('data: ', 'x'.repeat(70_000))).rejects.toThrow('too long')
})
