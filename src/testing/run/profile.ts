import type { Exchange } from '../../http/index.ts'
import { percentDecoded } from '../../kit/index.ts'
import { type Lookups, MessageView } from '../../rules/index.ts'
import { urlParts } from '../attempts/url-edits.ts'
import { hasPrivateValue } from './private-values.ts'

/** Names of values that users are known by to others. */
const HANDLE = /^(?:user_?name|login|handle|nick_?name|screen_?name|preferred_?username)$/i

/**
 * Whether a read asks for a user by name, and nothing else, and is answered with that name and nothing that people keep to
 * themselves: what social applications show to everybody.
 */
export function isProfile(exchange: Exchange, lookups: Lookups): boolean {
  const { method, target } = exchange.request
  if (method !== 'GET' || hasPrivateValue(exchange, lookups)) return false
  const asked = nameIn(target)
  const { leaves } = new MessageView(exchange).responseBody
  // Of the object itself, or of one that wraps it: an author stands deeper.
  const isOwn = (path: string): boolean => path.split('.').length <= 2
  return leaves.some(({ key, path, value }) => HANDLE.test(key) && value === asked && isOwn(path))
}

/** The last segment of a path, or the only parameter of a query where that is called like a name; decoded, or null. */
function nameIn(target: string): string | null {
  const [address = '', query = ''] = target.split('?', 2)
  if (query === '') return percentDecoded(urlParts(address).path.split('/').at(-1) ?? '')
  const [parameter, ...more] = new URLSearchParams(query)
  return parameter !== undefined && more.length === 0 && HANDLE.test(parameter[0]) ? parameter[1] : null
}
