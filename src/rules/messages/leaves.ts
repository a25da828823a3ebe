/** Leaves of one body that are looked at. */
const MAX_LEAVES = 20_000
const MAX_DEPTH = 100

/** A value at the end of a body's tree. */
export interface Leaf {
  /** Last object key above it; of scalars in a list, the key of the list. */
  readonly key: string
  /** Keys joined by dots, with positions of lists: `items[0].id`. */
  readonly path: string
  /** The same with `[]` for every position. */
  readonly wildPath: string
  readonly value: unknown
}

/** Every leaf in document order. `null` is a leaf; empty objects and lists are none. */
export function leavesOf(tree: unknown): Leaf[] {
  const leaves: Leaf[] = []
  collect(tree, '', '', '', 0, leaves)
  return leaves
}

function collect(
  value: unknown,
  key: string,
  path: string,
  wildPath: string,
  depth: number,
  leaves: Leaf[],
): void {
  if (leaves.length >= MAX_LEAVES || depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++)
      collect(value[i], key, `${path}[${i}]`, `${wildPath}[]`, depth + 1, leaves)
    return
  }
  if (typeof value !== 'object' || value === null) {
    leaves.push({ key, path, wildPath, value })
    return
  }
  for (const name of Object.keys(value)) {
    const below = (value as Record<string, unknown>)[name]
    collect(
      below,
      name,
      path === '' ? name : `${path}.${name}`,
      wildPath === '' ? name : `${wildPath}.${name}`,
      depth + 1,
      leaves,
    )
  }
}

/** Names of all keys that hold an object or a list. */
export function containerKeysOf(tree: unknown): string[] {
  const keys: string[] = []
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || keys.length >= MAX_LEAVES) return
    for (const [name, below] of Object.entries(value)) {
      if (typeof below === 'object' && below !== null && !Array.isArray(value)) keys.push(name)
      visit(below, depth + 1)
    }
  }
  visit(tree, 0)
  return keys
}

/** A value as a text, as conditions and variables see it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
