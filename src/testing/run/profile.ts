import type { Exchange } from '../../http/index.ts'
import { type Lookups, MessageView } from '../../rules/index.ts'
import { urlParts } from '../attempts/url-edits.ts'
import { hasPrivateValue } from './private-values.ts'

/** Names of values that users are known by to others. */
const HANDLE = /^(?:user_?name|login|handle|nick_?name|screen_?name|preferred_?username)$/i

/**
 * Whether a read asks for a user by name and is answered with that name and nothing that people keep to themselves: what
 * social applications show to everybody.
 */
export function isProfile(exchange: Exchange, lookups: Lookups): boolean {
  const { method, target } = exchange.request
  if (method !== 'GET' || hasPrivateValue(exchange, lookups)) return false
  const asked = valuesOf(target)
  const { leaves } = new MessageView(exchange).responseBody
  return leaves.some(({ key, value }) => HANDLE.test(key) && typeof value === 'string' && asked.has(value))
}

/** Segments of the path and values of the query, decoded. */
function valuesOf(target: string): ReadonlySet<string> {
  const [address = '', query = ''] = target.split('?', 2)
  const segments = urlParts(address).path.split('/')
  return new Set([...segments.map(decoded), ...new URLSearchParams(query).values()])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray percent sign is itself
  }
}
