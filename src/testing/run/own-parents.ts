import type { Exchange } from '../../http/index.ts'
import { MessageView, objectNamesOf } from '../../rules/index.ts'
import { ATTACKER_ROLE, type OwnName, type ParentMix } from '../attempts/index.ts'
import type { EndpointKey } from './pair-result.ts'
import type { RunMaterial } from './run-tools.ts'
import { isOwnOf } from './test-callers.ts'

/** Combinations that one test may try. */
const MAX_MIXES = 4

/**
 * Ways to name the object of a recorded request below what the attacker's own recorded request to the endpoint names: all of
 * its parents, then only the outer ones, such as the organization of `/orgs/OWN/projects/OTHERS/items/OTHERS`.
 */
export function ownParentsOf(material: RunMaterial, endpoint: EndpointKey, recorded: Exchange): ParentMix[] {
  const names = objectNamesOf(endpoint.url, new MessageView(recorded))
  const differing = material.samples
    .allOf(endpoint)
    .filter((sample) => sample.response.status < 400 && isOwnOf(material, ATTACKER_ROLE, endpoint, sample))
    .map((sample) => {
      const own = objectNamesOf(endpoint.url, new MessageView(sample))
      return names.flatMap(({ value, ...one }): OwnName[] => {
        const other = own.find((name) => name.in === one.in && name.name === one.name)
        return other === undefined || other.value === value
          ? []
          : [{ ...one, recorded: value, own: other.value }]
      })
    })
  // A parent that both use says nothing.
  return mixesOf(differing.find((all) => all.length > 1) ?? [])
}

function mixesOf(names: readonly OwnName[]): ParentMix[] {
  if (names.length < 2) return []
  const path = names.filter((name) => name.in === 'path')
  const beside = names.filter((name) => name.in !== 'path')
  const below = (object: OwnName): ParentMix => ({
    object,
    parents: names.filter((name) => name !== object),
  })
  const last = path.at(-1)
  const deepest = last === undefined ? [] : [below(last)]
  const outer = path
    .slice(0, -2)
    .map((_, at): ParentMix => ({ object: last!, parents: path.slice(0, at + 1) }))
  return [...deepest, ...outer, ...beside.map(below)].slice(0, MAX_MIXES)
}
