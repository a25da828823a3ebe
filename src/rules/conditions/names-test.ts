import type { NamedValue } from '../messages/names.ts'
import type { DatumTest } from '../operators/operator.ts'
import type { Frame } from './frame.ts'
import type { Matches } from './matches.ts'
import type { Scene } from './scene.ts'

const MAX_SHOWN = 10

/** Which names of a message satisfy an operator that stands under `key` or `value`. */
export interface NamesTested {
  readonly holds: boolean
  readonly satisfied: ReadonlyMap<string, unknown>
  readonly observed: () => unknown
}

/**
 * Tests the names (`key`) or values (`value`) of a term. A value after a key is looked for at the matched names only.
 * A cookie header whose own name does not satisfy stands for each of its cookies.
 */
export function testNames(test: DatumTest, frame: Frame, matches: Matches, scene: Scene): NamesTested {
  const isKey = frame.part === 'key'
  const named = frame.term?.named?.(scene)
  const all = (isKey ? named?.keys : named?.values) ?? []
  const satisfied = new Map<string, unknown>()
  let seen = 0
  let failed = 0
  const satisfies = ({ name, value }: NamedValue): boolean => {
    if (!test(isKey ? name : value, { key: name, lookups: scene.lookups })) return false
    if (!satisfied.has(name)) satisfied.set(name, value)
    return true
  }
  for (const candidate of all) {
    if (!isKey && frame.keySeen && matches !== null && !matches.has(candidate.name)) continue
    seen++
    if (satisfies(candidate)) continue
    const inner = isKey ? (candidate.inner ?? []).filter(satisfies) : []
    if (inner.length === 0) failed++
  }
  return {
    holds: frame.isForAll ? seen > 0 && failed === 0 : satisfied.size > 0,
    satisfied,
    observed: () => {
      if (seen === 0) return 'nothing to look at'
      const names = satisfied.size > 0 ? [...satisfied.keys()] : [...new Set(all.map(({ name }) => name))]
      return names.slice(0, MAX_SHOWN).join(', ')
    },
  }
}
