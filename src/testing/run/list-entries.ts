import type { Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'

/** Fields by which an entry of a list is called. */
const IDENTITY = /^(?:_?id|uuid|guid|key|slug|code|name|title|handle)$/i
/** Longest list that is read. */
const MAX_LIST = 4_000_000

/** Whether a list has an entry that is called by an identifier. */
export function hasEntry(list: Exchange, id: string): boolean {
  const { status, body } = list.response
  if (status !== 200 || body.length > MAX_LIST) return false
  return new MessageView(list).responseBody.leaves.some(
    ({ key, wildPath, value }) => wildPath.includes('[]') && IDENTITY.test(key) && String(value) === id,
  )
}
