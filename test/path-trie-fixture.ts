import type { PathTrie } from '../src/path-templates/path-trie.ts'

/** A request as the tests of the path engine describe it. */
export interface Sent {
  path: string
  method?: string
  keys?: readonly string[]
  status?: number
}

export const USER = ['id', 'name', 'email']

/** Lets a trie observe requests in order; `judged` evaluates whenever something changed. */
export function send(trie: PathTrie, sent: readonly Sent[], judged = true): PathTrie {
  for (const [at, { path, method = 'GET', keys = USER, status = 200 }] of sent.entries()) {
    trie.observe({ method, path, status, mediaType: 'application/json', keys, at })
    if (judged && trie.isDirty) trie.evaluate()
  }
  if (judged) trie.evaluate()
  return trie
}

/** The template of each path for GET; undefined where none is known. */
export function templates(trie: PathTrie, paths: readonly string[]): (string | undefined)[] {
  return paths.map((path) => trie.resolve('GET', path)?.template)
}
