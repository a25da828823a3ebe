import { PathTrie } from '../../src/path-templates/index.ts'
import { Random } from './random.ts'
import { FIRST_NAMES, NOUNS, TECH_WORDS } from './words.ts'

const REQUESTS = 1_000_000
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Distinct paths of several kinds: numbers, slugs, names in a row, hashes, and sheer nonsense at any depth. */
function makePath(i: number, random: Random): string {
  const name = FIRST_NAMES[i % FIRST_NAMES.length]! + i.toString(36)
  switch (i % 8) {
    case 0:
      return `/users/${i}/orders`
    case 1:
      return `/blog/${random.pick(NOUNS)}-${random.pick(TECH_WORDS)}-${i.toString(36)}`
    case 2:
      return `/repos/${name}/${random.pick(TECH_WORDS)}/issues`
    case 3:
      return `/repos/${name}/${random.pick(NOUNS)}${i}/pulls/${random.integer(1, 900)}`
    case 4:
      return `/objects/${random.text(32, '0123456789abcdef')}`
    case 5:
      return `/tenants/${random.text(9, LETTERS)}/settings`
    case 6:
      return `/${Array.from({ length: random.integer(1, 6) }, () => random.text(random.integer(3, 9), LETTERS)).join('/')}`
    default:
      return `/api/products/${random.text(6, LETTERS)}-${i}/reviews`
  }
}

/** A million distinct URLs through one trie: cost and the greatest state. */
export function runMillion() {
  const random = new Random(20_000)
  const trie = new PathTrie()
  const keys = Array.from({ length: 8 }, (_, i) => ['id', `field${i}`, `name${i}`, `created${i}`])
  let nodes = 0
  let observations = 0
  let longestStep = 0
  const heapBefore = process.memoryUsage().heapUsed
  const start = process.cpuUsage()
  for (let i = 0; i < REQUESTS; i++) {
    trie.observe({
      method: 'GET',
      path: makePath(i, random),
      status: 200,
      mediaType: 'application/json',
      keys: keys[i % 8]!,
      at: i,
    })
    if (!trie.isDirty) continue
    const steps = trie.evaluateInSteps()
    for (;;) {
      const stepStart = process.cpuUsage()
      const isDone = steps.next().done === true
      const step = process.cpuUsage(stepStart)
      longestStep = Math.max(longestStep, (step.user + step.system) / 1000)
      if (isDone) break
    }
    nodes = Math.max(nodes, trie.size.nodes)
    observations = Math.max(observations, trie.size.observations)
  }
  const used = process.cpuUsage(start)
  trie.evaluate()
  const { nodes: lastNodes, observations: lastObservations } = trie.size
  return {
    microseconds: (used.user + used.system) / REQUESTS,
    nodes: Math.max(nodes, lastNodes),
    observations: Math.max(observations, lastObservations),
    megabytes: Math.max(0, process.memoryUsage().heapUsed - heapBefore) / 1e6,
    longestStep,
    templates: trie.snapshot().templates.length,
  }
}
