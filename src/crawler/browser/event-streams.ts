import type { StreamMessage } from './capture.ts'
import type { TimedSession } from './cdp.ts'
import type { Flight } from './flight.ts'

/** Of each connection and direction this many messages are kept. */
export const MAX_MESSAGES = 50
/** Of a message so much is kept. */
const MAX_MESSAGE_BYTES = 64 * 1024
const MAX_STREAM_BYTES = 256 * 1024

/** Adds a message while there is room. */
export function keepMessage(messages: StreamMessage[], message: StreamMessage): void {
  const alike = messages.filter((one) => one.direction === message.direction).length
  if (alike < MAX_MESSAGES) messages.push({ ...message, text: message.text.slice(0, MAX_MESSAGE_BYTES) })
}

/** Listens to event streams of a session (`EventSource`), and to those that scripts read themselves. */
export function listenToStreams(session: TimedSession, flightOf: (id: string) => Flight | null): void {
  session.on('Network.eventSourceMessageReceived', (event) => {
    const flight = flightOf(String(event['requestId']))
    if (flight === null) return
    keepMessage(flight.messages, received(String(event['data'] ?? ''), String(event['eventName'] ?? '')))
  })
  session.on('Network.dataReceived', (event) => {
    const flight = flightOf(String(event['requestId']))
    if (flight?.streamText == null || typeof event['data'] !== 'string') return
    addText(flight.streamText, event['data'])
  })
}

/** Has the browser hand out the bytes of a stream as they come. */
export async function openStream(session: TimedSession, flight: Flight): Promise<void> {
  flight.streamText = { chunks: [], length: 0 }
  try {
    const { bufferedData } = await session.send<{ bufferedData?: string }>('Network.streamResourceContent', {
      requestId: flight.id,
    })
    if (bufferedData !== undefined) addText(flight.streamText, bufferedData, true)
  } catch {
    // Old browsers cannot; then only the head of the stream is known.
    flight.streamText = null
  }
}

/** What came of a stream, as messages; only whole ones (WHATWG HTML section 9.2.6). */
export function messagesOf(text: string): StreamMessage[] {
  const messages: StreamMessage[] = []
  for (const block of text.split(/\r?\n\r?\n/)) {
    const lines = block.split(/\r?\n/)
    const field = (name: string): string[] =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trimStart())
    const data = field('data')
    if (data.length > 0) keepMessage(messages, received(data.join('\n'), field('event')[0] ?? 'message'))
  }
  return messages
}

function addText(stream: NonNullable<Flight['streamText']>, base64: string, isFirst = false): void {
  if (stream.length >= MAX_STREAM_BYTES) return
  const chunk = Buffer.from(base64, 'base64').subarray(0, MAX_STREAM_BYTES - stream.length)
  if (isFirst) stream.chunks.unshift(chunk)
  else stream.chunks.push(chunk)
  stream.length += chunk.length
}

function received(text: string, event: string): StreamMessage {
  return { direction: 'received', atMs: Date.now(), text, isBase64: false, event }
}
