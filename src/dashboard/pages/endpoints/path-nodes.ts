import { parameterNames, parameterSegment, templateSegments } from '../../../contract/browser.ts'

/** A part of the paths of a collection. */
export interface PathNode {
  /** One segment, or several that always come together, parameters by name: `users/{userId}`. */
  readonly name: string
  /** The path up to here, without a slash at its end. */
  readonly prefix: string
  readonly endpoints: number
  readonly children: readonly PathNode[]
}

interface Growing {
  /** The segment as it is shown. */
  readonly name: string
  readonly children: Map<string, Growing>
  endpoints: number
}

/** Segments of the path of a URL, as they are and as they are shown. */
function segmentsOf(url: string): { segment: string; name: string }[] {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/, '')
  const names = parameterNames(templateSegments(path))
  return path
    .split('/')
    .slice(1)
    .map((segment, at) => {
      const name = names.get(at)
      return {
        segment,
        name: name === undefined ? segment : `{${name}}${parameterSegment(segment)?.suffix ?? ''}`,
      }
    })
    .filter(({ segment }) => segment !== '')
}

/** The tree of the paths of some endpoints; segments that do not branch are one node. */
export function pathTree(urls: readonly string[]): PathNode[] {
  const root: Growing = { name: '', children: new Map(), endpoints: 0 }
  let atRoot = 0
  for (const url of urls) {
    let at = root
    for (const { segment, name } of segmentsOf(url)) {
      const next = at.children.get(segment) ?? { name, children: new Map(), endpoints: 0 }
      at.children.set(segment, next)
      next.endpoints++
      at = next
    }
    if (at === root) atRoot++
  }
  const top = atRoot === 0 ? [] : [{ name: '/', prefix: '/', endpoints: atRoot, children: [] }]
  return [...top, ...nodesOf(root, '')]
}

function nodesOf({ children }: Growing, prefix: string): PathNode[] {
  return [...children]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([segment, node]) => nodeOf(node.name, node, `${prefix}/${segment}`))
}

function nodeOf(name: string, node: Growing, prefix: string): PathNode {
  const [only] = node.children
  // Endpoints that end here make it a separate node.
  if (node.children.size === 1 && only !== undefined && only[1].endpoints === node.endpoints)
    return nodeOf(`${name}/${only[1].name}`, only[1], `${prefix}/${only[0]}`)
  return { name, prefix, endpoints: node.endpoints, children: nodesOf(node, prefix) }
}
