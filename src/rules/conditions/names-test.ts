import type { NamedValue } from '../messages/names.ts'
import type { DatumTest } from '../operators/operator.ts'
import type { Frame } from './frame.ts'
import { type Matches, NO_MATCHES } from './matches.ts'
import type { Scene } from './scene.ts'

/** Which names of a message satisfy an operator that stands under `key` or `value`. */
interface NamesTested {
  readonly holds: boolean
  readonly satisfied: ReadonlyMap<string, unknown>
  readonly seen: readonly NamedValue[]
}

/**
 * Tests the names (`key`) or values (`value`) of a term. A value after a key is looked for at the matched names only.
 * A cookie header whose own name does not satisfy stands for each of its cookies.
 */
export function testNames(test: DatumTest, frame: Frame, matches: Matches, scene: Scene): NamesTested {
  const named = frame.term?.named?.(scene)
  const isKey = frame.part === 'key'
  const all = (isKey ? named?.keys : named?.values) ?? []
  const seen = !isKey && frame.keySeen && matches !== null ? all.filter(({ name }) => matches.has(name)) : all
  let satisfied: Map<string, unknown> | null = null
  let failed = 0
  for (const candidate of seen) {
    const tried = isKey ? candidate.inner : undefined
    const found = satisfies(candidate) ? [candidate] : (tried?.filter(satisfies) ?? [])
    if (found.length === 0) failed++
    satisfied ??= found.length > 0 ? new Map() : null
    for (const { name, value } of found) if (!satisfied!.has(name)) satisfied!.set(name, value)
  }
  const holds = frame.isForAll ? seen.length > 0 && failed === 0 : satisfied !== null
  return { holds, satisfied: satisfied ?? NO_MATCHES, seen }

  function satisfies({ name, value }: NamedValue): boolean {
    return test(isKey ? name : value, { key: name, lookups: scene.lookups })
  }
}
