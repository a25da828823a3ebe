import { randomInt } from 'node:crypto'
import type { Exchange } from '../../http/index.ts'
import type { Variables } from '../../rules/index.ts'
import { elementsOf } from '../attempts/expand-loops.ts'
import type { SampleLookup, WordListSpec } from '../template/template.ts'
import { findInSamples } from './find-in-samples.ts'

/** Where look-ups search. */
interface SampleSource {
  /** The latest sample of the endpoint under test; null when it has none. */
  readonly own: Exchange | null
  /** Latest samples of the endpoints of the same collection that the run includes, its own among them. */
  ofCollection(): Iterable<Exchange>
}

/**
 * The words of every list of a template. Lists of the installation are added and win over the template's own. Lists
 * for captured names come later: {@link provideDynamicLists}.
 */
export function resolveWordLists(
  specs: readonly WordListSpec[],
  source: SampleSource,
  installation: ReadonlyMap<string, readonly string[]> = new Map(),
): Map<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>()
  for (const spec of specs) {
    if (spec.kind === 'words') lists.set(spec.name, spec.words)
    else if (spec.kind === 'random') lists.set(spec.name, Array.from({ length: spec.count }, tenDigits))
    else if (spec.kind === 'samples') lists.set(spec.name, found(spec, source))
  }
  for (const [name, words] of installation) lists.set(name, words)
  return lists
}

/** Sets a variable with the words of each list for captured names. To be called when the selection has held. */
export function provideDynamicLists(
  specs: readonly WordListSpec[],
  source: SampleSource,
  variables: Variables,
): void {
  for (const spec of specs) {
    if (spec.kind !== 'dynamic') continue
    for (const element of elementsOf(spec, variables) ?? []) {
      const fill = (text: string): string => text.replaceAll('${iteratorKey}', () => element)
      const { key } = spec.lookup
      const wanted = 'name' in key ? { name: fill(key.name) } : { pattern: fill(key.pattern) }
      variables.set(fill(spec.name), found({ ...spec.lookup, key: wanted }, source))
    }
  }
}

function found(lookup: SampleLookup, source: SampleSource): string[] {
  const samples = lookup.allApis ? source.ofCollection() : source.own === null ? [] : [source.own]
  return findInSamples(lookup, samples)
}

function tenDigits(): string {
  return String(randomInt(1_000_000_000, 10_000_000_000))
}
