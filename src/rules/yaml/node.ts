/** A place in a template, for messages to its author. */
export interface Place {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** Keys from the root joined by dots, list positions from 0: `execute.requests.0.req`. */
  readonly path: string
}

/** What is wrong with a template, or odd about it. Errors keep it from being used. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly place: Place
  /** The legal word nearest to the one that was written. */
  readonly nearest: string | null
}

export type YamlNode = YamlMap | YamlList | YamlScalar

export interface YamlMap {
  readonly kind: 'map'
  /** In file order; a repeated key stands where it stood first, with its last value. */
  readonly entries: readonly YamlEntry[]
  readonly place: Place
}

export interface YamlEntry {
  readonly key: string
  readonly keyPlace: Place
  readonly value: YamlNode
}

interface YamlList {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
  readonly place: Place
}

interface YamlScalar {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
  readonly place: Place
}

/** The value of an entry of a map, or undefined. */
export function entryOf(node: YamlNode | null | undefined, key: string): YamlNode | undefined {
  return node?.kind === 'map' ? node.entries.find((entry) => entry.key === key)?.value : undefined
}

/** The node as plain data; objects have no prototype. */
export function plainValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plainValue)
  const object = Object.create(null) as Record<string, unknown>
  for (const { key, value } of node.entries) object[key] = plainValue(value)
  return object
}

/** The items of a list, or the node itself as the only one. */
export function itemsOf(node: YamlNode): readonly YamlNode[] {
  return node.kind === 'list' ? node.items : [node]
}
