import { normalisePath, PathTrie } from '../../src/path-templates/index.ts'
import { canonicalWire, learn } from './measure.ts'
import { Random } from './random.ts'
import type { Request } from './traffic.ts'

/** Templates over all shuffles, and how many of them are not in every one. */
export function differingShare(
  requests: readonly Request[],
  shuffles: number,
): { templates: number; differ: number } {
  const random = new Random(4711)
  const sets: Set<string>[] = []
  for (let i = 0; i < shuffles; i++) {
    const { rows } = learn(i === 0 ? requests : random.shuffle([...requests]))
    sets.push(new Set(rows.map(({ method, predicted }) => `${method} ${predicted}`)))
  }
  const all = new Set(sets.flatMap((set) => [...set]))
  let differ = 0
  for (const template of all) if (!sets.every((set) => set.has(template))) differ++
  return { templates: all.size, differ }
}

/** Splits the requests over two tries that exchange their observations; true when they end unlike each other. */
export function exchangeDiffers(requests: readonly Request[]): boolean {
  const tries = [new PathTrie(), new PathTrie()]
  const paths = new Set<string>()
  for (const [i, request] of requests.entries()) {
    if (request.status >= 400) continue
    const { path } = normalisePath(request.path)
    const trie = tries[i % 2]!
    trie.observe({ ...request, path, at: i })
    if (trie.isDirty) trie.evaluate()
    paths.add(`${request.method} ${path}`)
  }
  const [a, b] = tries.map((trie) => trie.snapshot())
  tries[0]!.absorb(b!)
  tries[1]!.absorb(a!)
  for (const trie of tries) trie.evaluate()
  const templates = tries.map((trie) => {
    const found = new Set<string>()
    for (const key of paths) {
      const space = key.indexOf(' ')
      const method = key.slice(0, space)
      found.add(`${method} ${canonicalWire(trie.resolve(method, key.slice(space + 1))?.template ?? key)}`)
    }
    return [...found].sort().join('\n')
  })
  return templates[0] !== templates[1]
}
