import { normalisePath, PathTrie } from '../../src/path-templates/index.ts'
import type { Labelled } from './score.ts'
import type { Request } from './traffic.ts'

/** What one API's traffic led to. */
export interface Outcome {
  rows: Labelled[]
  microsecondsPerRequest: number
  requests: number
  nodes: number
  observations: number
  trie: PathTrie
}

const TYPE_WORDS = new Set(['INTEGER', 'FLOAT', 'OBJECT_ID', 'STRING'])

/** A wire template with every type word as `{}`. */
export function canonicalWire(template: string): string {
  return template
    .split('/')
    .map((segment) => {
      const [type, ...suffix] = segment.split(/(?=[:.])/)
      return TYPE_WORDS.has(type!) ? `{}${suffix.join('')}` : segment
    })
    .join('/')
}

/**
 * Plays traffic to a new trie the way the product does: paths normalised, scanner noise and errors on unknown paths
 * kept out (they go to the ledger of probes), evaluation whenever the trie asks for it and once at the end.
 */
export function learn(requests: readonly Request[], noiseIsAdmitted = false): Outcome {
  const trie = new PathTrie()
  const prepared = requests.map((request) => ({
    ...request,
    status: noiseIsAdmitted && request.truth === null ? 200 : request.status,
  }))
  const start = process.cpuUsage()
  let at = 1_700_000_000
  for (const request of prepared) {
    const { path } = normalisePath(request.path)
    at++
    if (request.status >= 400 && trie.resolve(request.method, path) === null) continue
    trie.observe({ ...request, path, at })
    if (trie.isDirty) trie.evaluate()
  }
  trie.evaluate()
  const used = process.cpuUsage(start)
  const rows = new Map<string, Labelled>()
  for (const request of prepared) {
    if (request.truth === null || request.status >= 400) continue
    const key = `${request.method} ${request.path}`
    if (rows.has(key)) continue
    const { path } = normalisePath(request.path)
    const found = trie.resolve(request.method, path)
    rows.set(key, {
      method: request.method,
      path,
      truth: request.truth,
      predicted: canonicalWire(found?.template ?? path),
    })
  }
  const { nodes, observations } = trie.size
  return {
    rows: [...rows.values()],
    microsecondsPerRequest: (used.user + used.system) / requests.length,
    requests: requests.length,
    nodes,
    observations,
    trie,
  }
}
