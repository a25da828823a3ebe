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

/** Share of the values of an object that a list must show to show the object. */
const MOST_VALUES = 0.8

/** Whether a list shows most values of an object. */
export function showsWhole(list: Exchange, object: Exchange): boolean {
  if (list.response.status !== 200 || list.response.body.length > MAX_LIST) return false
  if (object.response.status !== 200) return false
  const values = textsOf(object)
  const listed = new Set(textsOf(list))
  return values.length > 0 && values.filter((text) => listed.has(text)).length >= values.length * MOST_VALUES
}

function textsOf(exchange: Exchange): string[] {
  return new MessageView(exchange).responseBody.leaves.map(({ value }) => String(value))
}
