import type { CarriedValue } from './carried-values.ts'
import { type Carriers, isPartitioned } from './carriers.ts'
import { singular } from './known-values.ts'

/** Shorter names are parts of too many others. */
const SHORTEST_RESOURCE = 4
/** Fields of paging, order and amount, whatever resources are called. */
const ORDINARY_FIELD =
  /^(?:page|count|order|limit|level|size|rank|index|number|offset|position|priority|total|amount|score)$/

/**
 * Whether a field of a body that is called like a resource names an object that only its sender asked for by path. Small
 * numbers are equal by chance, so each value of the field must have one sender, and several callers send their own.
 *
 * @param of recorded values of the field
 * @param objects values of paths by the names of the resource in front of them
 */
export function namesOwnObject(
  { in: part, key, value }: CarriedValue,
  of: Carriers,
  owner: string,
  objects: () => ReadonlyMap<string, Carriers>,
): boolean {
  const name = singular(key)
  if (part !== 'body' || owner === '' || name.length < SHORTEST_RESOURCE) return false
  if (ORDINARY_FIELD.test(name) || !isPartitioned(of)) return false
  const named = objects().get(name)
  if (named === undefined || !isOf(named, value, owner)) return false
  return [...of].some(([other, callers]) =>
    [...callers].some((caller) => caller !== owner && caller !== '' && isOf(named, other, caller)),
  )
}

/** Whether only one caller asked for an object. */
function isOf(resource: Carriers, value: string, caller: string): boolean {
  const callers = resource.get(value)
  return caller !== '' && callers?.size === 1 && callers.has(caller)
}
