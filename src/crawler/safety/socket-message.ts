import { namesReading, wordsOf } from './changing-words.ts'
import { documentReads } from './reading-request.ts'

/** What opens, holds and ends a conversation, or asks to be told of news. */
const CONTROL =
  /^(?:ack|auth|authenticate|authorize|complete|connect|connected|disconnect|handshake|heartbeat|hello|identify|init|join|leave|login|ping|pong|presence|ready|resume|sub|subscribe|subscription|unsub|unsubscribe|watch|unwatch)$/
/** Names under which a message says what it is about. */
const OPERATION = /^(?:type|event|action|command|cmd|op|operation|method|kind|name|t|msg)$/
/** Commands of STOMP that send nothing to others. */
const STOMP = /^(?:CONNECT|STOMP|SUBSCRIBE|UNSUBSCRIBE|DISCONNECT|ACK|NACK)\r?\n/

/**
 * Whether a message that a page sends over a web socket changes nothing: control messages of GraphQL over web sockets,
 * Socket.IO, Phoenix, Action Cable, STOMP and their like, and calls whose name reads. What cannot be told does.
 */
export function socketMessageReads(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '' || STOMP.test(trimmed)) return text !== ''
  // Engine.IO and Socket.IO put a digit, and a namespace, before their JSON; a bare one is a ping or a pong.
  const [, prefix = '', rest = ''] = /^(\d{0,4}(?:\/[\w/-]{0,60},?)?)(.*)$/s.exec(trimmed) ?? []
  if (rest === '') return prefix.length <= 2
  if (!/^[[{]/.test(rest)) return isHarmless(rest)
  try {
    return valueReads(JSON.parse(rest.split('\u001e')[0]!))
  } catch {
    // No JSON: it says nothing.
    return false
  }
}

function valueReads(value: unknown): boolean {
  if (Array.isArray(value)) {
    const names = value.filter((each): each is string => typeof each === 'string')
    // Phoenix names what it does after the topic; others name it first.
    return names.some((name) => /^phx_(?:join|leave)$|^heartbeat$/.test(name)) || isHarmless(names[0] ?? '')
  }
  const message = value as Readonly<Record<string, unknown>> | null
  const query = (message?.['payload'] as { query?: unknown } | undefined)?.query ?? message?.['query']
  // A subscription asks to be told of news.
  if (typeof query === 'string') return documentReads(query.replace(/\bsubscription\b/, 'query'))
  const names = Object.entries(message ?? {}).filter(
    ([name, each]) => OPERATION.test(name) && typeof each === 'string',
  )
  if (names.length === 0) return message?.['protocol'] !== undefined
  return names.every(([, each]) => isHarmless(String(each)))
}

/** By its last part: `pusher:subscribe`, `orders/list`. */
function isHarmless(name: string): boolean {
  const last = name.split(/[:./#]/).at(-1) ?? ''
  const words = wordsOf(last.replace(/^(?:connection|gql|graphql)_/, ''))
  return words.length > 0 && (words.every((word) => CONTROL.test(word)) || namesReading(last))
}
