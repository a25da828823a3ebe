import type { CarriedValue } from './carried-values.ts'
import { type Carriers, isPartitioned } from './carriers.ts'
import { singular } from './known-values.ts'

/** Shorter names are parts of too many others. */
const SHORTEST_RESOURCE = 4
/** Fields of paging, order and amount, whatever resources are called. */
const ORDINARY_FIELD =
  /^(?:page|count|order|limit|level|size|rank|index|number|offset|position|priority|total|amm?ount|score|quantity|qty|rating|stars|price|age|day|month|year|hours?|minutes?|duration|weight|height)$/
/** Fewer small numbers are equal to those of objects by chance. */
const FEWEST_NUMBERS = 4

/**
 * Whether a field of a body holds the number of an object that only its sender asked for by path. Small numbers are equal
 * by chance, so each value of the field must have one sender, and several callers send their own; where the field is not
 * called like the resource, all of at least four values must be numbers of objects of one resource.
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
  if (part !== 'body' || owner === '' || ORDINARY_FIELD.test(name) || !isPartitioned(of)) return false
  const named = name.length < SHORTEST_RESOURCE ? undefined : objects().get(name)
  if (named !== undefined && isOf(named, value, owner))
    return [...of].some(([other, callers]) =>
      [...callers].some((caller) => caller !== owner && caller !== '' && isOf(named, other, caller)),
    )
  if (of.size < FEWEST_NUMBERS) return false
  const areOf = (resource: Carriers): boolean =>
    [...of].every(([other, [caller = '', ...more]]) => more.length === 0 && isOf(resource, other, caller))
  return [...objects().values()].some(areOf)
}

/** Whether only one caller asked for an object. */
function isOf(resource: Carriers, value: string, caller: string): boolean {
  const callers = resource.get(value)
  return caller !== '' && callers?.size === 1 && callers.has(caller)
}
