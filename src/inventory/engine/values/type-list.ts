/** Names of types met in a message, in the order they were met. Equal lists are one object nearly always. */
export type TypeList = readonly string[]

export const NO_TYPES: TypeList = Object.freeze([])

/** Lists that came of a list by one more type; forgotten when they are too many, because people name types of their own. */
const MAX_LISTS = 10_000
let longer = new Map<TypeList, Map<string, TypeList>>()
let lists = 0

/** A list with a type in it: messages meet the same few over and over, so that none needs a list of its own. */
export function withType(list: TypeList, type: string): TypeList {
  if (list.includes(type)) return list
  const known = longer.get(list)?.get(type)
  if (known !== undefined) return known
  if (lists >= MAX_LISTS) {
    longer = new Map()
    lists = 0
  }
  const made = Object.freeze([...list, type])
  lists++
  const byType = longer.get(list)
  if (byType === undefined) longer.set(list, new Map([[type, made]]))
  else byType.set(type, made)
  return made
}

/** True when both lists hold the same in the same order. */
export function areEqual(a: TypeList, b: TypeList): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
