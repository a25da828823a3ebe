import { normalisePath, PathTrie, type Resolution } from '../../src/path-templates/index.ts'
import { type AdversarialCase, USER } from './adversarial-case.ts'
import { Random } from './random.ts'
import { NOUNS } from './words.ts'

/** Plays one case; the list of what is wrong, empty when it passes. */
export function playCase(one: AdversarialCase): string[] {
  const trie = new PathTrie()
  let at = 1_700_000_000
  for (const { method = 'GET', path, times = 1, keys = [] } of one.send) {
    for (let i = 0; i < times; i++) {
      trie.observe({
        method,
        path: normalisePath(path).path,
        status: 200,
        mediaType: 'application/json',
        keys,
        at: at++,
      })
      if (trie.isDirty) trie.evaluate()
    }
  }
  trie.evaluate()
  const wrong: string[] = []
  for (const [key, template] of Object.entries(one.expect)) {
    const space = key.indexOf(' ')
    const method = space < 0 ? 'GET' : key.slice(0, space)
    const path = normalisePath(key.slice(space + 1)).path
    const found = trie.resolve(method, path)?.template
    if (found !== template) wrong.push(`${key} is ${found ?? 'unknown'} instead of ${template}`)
  }
  if (one.maxTemplates !== undefined) {
    const templates = new Set(
      one.send.map(({ method = 'GET', path }) => describe(trie.resolve(method, normalisePath(path).path))),
    )
    if (templates.size > one.maxTemplates)
      wrong.push(`${templates.size} templates instead of at most ${one.maxTemplates}`)
  }
  return wrong
}

function describe(resolution: Resolution | null): string {
  return resolution?.template ?? 'unknown'
}

/**
 * Case 15: what a person merges and splits again is as before, retained observations included. Returns what is wrong.
 */
export function playMergeAndSplit(seed: number): string[] {
  const trie = new PathTrie()
  const random = new Random(seed)
  const paths = Array.from(
    { length: 3 + seed },
    (_, i) => `/desk${seed}/${NOUNS[(seed * 11 + i) % NOUNS.length]}`,
  )
  for (const [i, path] of random.shuffle([...paths]).entries()) {
    trie.observe({
      method: 'GET',
      path,
      status: 200,
      mediaType: 'application/json',
      keys: seed % 2 === 0 ? USER : [`own${i}`],
      at: 1,
    })
  }
  trie.evaluate()
  const before = paths.map((path) => describe(trie.resolve('GET', path)))
  const observations = JSON.stringify(
    trie
      .snapshot()
      .observations.map(({ method, path, count }) => [method, path, count])
      .sort(),
  )
  const merged = trie.merge(`/desk${seed}/STRING`)
  const wrong: string[] = []
  if (paths.some((path) => describe(trie.resolve('GET', path)) !== `/desk${seed}/STRING`))
    wrong.push('not merged')
  const split = trie.split(null, `/desk${seed}/STRING`)
  const after = paths.map((path) => describe(trie.resolve('GET', path)))
  if (after.join() !== before.join()) wrong.push(`after split: ${after.join()} instead of ${before.join()}`)
  if (merged.length !== split.length) wrong.push(`${merged.length} moves forth and ${split.length} back`)
  const left = JSON.stringify(
    trie
      .snapshot()
      .observations.map(({ method, path, count }) => [method, path, count])
      .sort(),
  )
  if (left !== observations) wrong.push('observations were lost')
  return wrong
}
