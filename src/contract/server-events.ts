/** One event of a stream; comments, such as heartbeats, have an empty name and no data. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** Characters of one event; a stream with a longer one is not ours. */
const MAX_EVENT_LENGTH = 64 * 1024

/**
 * Reads server-sent events (HTML Living Standard, section 9.2.6) as the server writes them: lines end with a line feed,
 * an event has one line of data.
 *
 * @throws Error when an event is too long, or what reading the body throws
 */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let waiting = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      waiting += decoder.decode(value, { stream: true })
      const blocks = waiting.split('\n\n')
      waiting = blocks.pop() ?? ''
      if (waiting.length > MAX_EVENT_LENGTH) throw new Error('An event of the stream is too long')
      for (const block of blocks) yield eventOf(block)
    }
  } finally {
    await reader.cancel().catch(() => {}) // it failed or was aborted: nothing is left to end
  }
}

function eventOf(block: string): ServerEvent {
  let name = ''
  let data = ''
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length)
    else if (line.startsWith('data: ')) data = line.slice('data: '.length)
  }
  return { name, data }
}
