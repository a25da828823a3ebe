import type { Location } from '../../../data-types/index.ts'
import { type KeyNode, type KeyTree, MAX_ITEMS, MAX_LEAVES } from '../state/index.ts'
import { countEmpty, type LearningContext, learnValue } from '../values/index.ts'

/** Learns a parsed body: every leaf is counted under its flattened key. Bounded in depth, breadth and leaves. */
export function learnBody(tree: KeyTree, value: unknown, location: Location, context: LearningContext): void {
  tree.isTaughtBeside = true
  const walk = new Walk(tree, location, context)
  if (typeof value === 'object' && value !== null) walk.visit(tree.root, value)
  else {
    const node = tree.child(tree.root, 'body')
    if (node) learnValue(tree, node, value, location, context)
  }
}

class Walk {
  #leaves = 0
  readonly tree: KeyTree
  readonly location: Location
  readonly context: LearningContext

  constructor(tree: KeyTree, location: Location, context: LearningContext) {
    this.tree = tree
    this.location = location
    this.context = context
  }

  visit(node: KeyNode, value: object): void {
    if (Array.isArray(value)) {
      if (value.length === 0) {
        this.#empty(node)
        return
      }
      const items = this.tree.itemsOf(node)
      if (items === null) return
      const count = value.length < MAX_ITEMS ? value.length : MAX_ITEMS
      for (let i = 0; i < count; i++) this.#take(items, value[i])
      return
    }
    let position = 0
    for (const key in value) {
      const kid = this.tree.childAt(node, position++, key)
      if (kid !== null) this.#take(kid, (value as Record<string, unknown>)[key])
    }
    if (position === 0) this.#empty(node)
  }

  #take(node: KeyNode, value: unknown): void {
    if (typeof value === 'object' && value !== null) this.visit(node, value)
    else if (this.#leaves++ < MAX_LEAVES) learnValue(this.tree, node, value, this.location, this.context)
  }

  /** An empty object or array is kept as a key of its own. */
  #empty(node: KeyNode): void {
    if (node === this.tree.root) return
    countEmpty(this.tree, node, this.context)
  }
}

/** Levels of a body whose keys are evidence; what lies deeper is no key of an endpoint either. */
const MAX_EVIDENCE_DEPTH = 24

/** Flattened key names of a body, at most `limit` and of its upper levels: evidence for path templates. */
export function keyNamesOf(value: unknown, prefix: string, limit: number, names: string[], depth = 0): void {
  if (typeof value !== 'object' || value === null || names.length >= limit) return
  if (Array.isArray(value)) {
    addKey(value[0], `${prefix}#$`, limit, names, depth)
    return
  }
  for (const key in value) {
    if (names.length >= limit) return
    addKey((value as Record<string, unknown>)[key], `${prefix}#${key}`, limit, names, depth)
  }
}

function addKey(value: unknown, name: string, limit: number, names: string[], depth: number): void {
  if (typeof value === 'object' && value !== null && depth < MAX_EVIDENCE_DEPTH)
    keyNamesOf(value, name, limit, names, depth + 1)
  else names.push(name)
}
