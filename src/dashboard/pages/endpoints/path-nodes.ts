/** A part of the paths of a collection. */
export interface PathNode {
  /** One segment, or several that always come together: `api/v1`. */
  readonly name: string
  /** The path up to here, with a slash at its end unless nothing is below. */
  readonly prefix: string
  readonly endpoints: number
  readonly children: readonly PathNode[]
}

interface Growing {
  readonly children: Map<string, Growing>
  endpoints: number
}

/** The path of a URL without its host. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/, '')
}

/** The tree of the paths of some endpoints; segments that do not branch are one node. */
export function pathTree(urls: readonly string[]): PathNode[] {
  const root: Growing = { children: new Map(), endpoints: 0 }
  for (const url of urls) {
    let at = root
    for (const segment of pathOf(url).split('/').filter(Boolean)) {
      const next = at.children.get(segment) ?? { children: new Map(), endpoints: 0 }
      at.children.set(segment, next)
      next.endpoints++
      at = next
    }
  }
  return nodesOf(root, '/')
}

function nodesOf({ children }: Growing, prefix: string): PathNode[] {
  return [...children].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, node]) => nodeOf(name, node, prefix))
}

function nodeOf(name: string, node: Growing, prefix: string): PathNode {
  const [only] = node.children
  // Endpoints that end here make it a separate node.
  if (node.children.size === 1 && only !== undefined && only[1].endpoints === node.endpoints)
    return nodeOf(`${name}/${only[0]}`, only[1], prefix)
  const path = `${prefix}${name}${node.children.size === 0 ? '' : '/'}`
  return { name, prefix: path, endpoints: node.endpoints, children: nodesOf(node, path) }
}
