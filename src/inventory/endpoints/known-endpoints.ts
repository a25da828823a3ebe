import { percentDecoded } from '../../kit/index.ts'
import {
  normalisePath,
  parseTemplate,
  splitPath,
  splitPathFor,
  type TemplateSegment,
  TemplateTree,
} from '../../path-templates/index.ts'

/** An endpoint of the inventory, as far as its address goes. */
interface EndpointAddress {
  readonly collectionId: number
  readonly method: string
  /** Path or absolute URL, with type names for parameters when `isTemplate`. */
  readonly url: string
  /** Scheme and authority of an absolute url, else ''. */
  readonly origin: string
  readonly isTemplate: boolean
}

/** A part of a path that the template of its endpoint leaves open. */
interface PathValue {
  /** Segments before it. */
  readonly index: number
  /** Of a key in parentheses (`Orders(5)`); '' for a whole segment. */
  readonly name: string
  readonly value: string
}

const ANY: readonly TemplateSegment[] = [{ kind: 'param', type: 'STRING' }]

/** Endpoints in memory, found by concrete URLs as the inventory would assign them. */
export class KnownEndpoints {
  /** Trees by origin, '' for paths without one, of each collection. */
  readonly #trees = new Map<number, Map<string, TemplateTree>>()

  add(endpoint: EndpointAddress): void {
    const byOrigin = this.#trees.get(endpoint.collectionId) ?? new Map<string, TemplateTree>()
    this.#trees.set(endpoint.collectionId, byOrigin)
    const tree = byOrigin.get(endpoint.origin) ?? new TemplateTree()
    byOrigin.set(endpoint.origin, tree)
    tree.endpoint(tree.insertTemplate(segmentsOf(endpoint)), endpoint.method)
  }

  /**
   * Whether a collection has an endpoint for a URL. The host of the URL decides only where endpoints of a collection
   * differ in it and it is one of theirs: tests may aim at another installation of the same product.
   *
   * @param method null for any
   */
  has(collectionId: number, method: string | null, url: string): boolean {
    const byOrigin = this.#trees.get(collectionId)
    if (byOrigin === undefined) return false
    const own = URL.canParse(url) ? byOrigin.get(new URL(url).origin) : undefined
    const segments = splitPath(normalisePath(url).path)
    // A parameter may stand for a name with its ending.
    const whole = splitPathFor(ANY, normalisePath(url).path)
    for (const tree of own === undefined ? byOrigin.values() : [own]) {
      const found = tree.find(method ?? '', segments) ?? tree.find(method ?? '', whole)
      const endpoints = found?.endpoints
      if (endpoints && (method === null || endpoints.has(method))) return true
    }
    return false
  }
}

/**
 * The values of a concrete URL at the parameters of an endpoint's path: whole segments, and keys in parentheses. A path
 * in front of the endpoint's, as it is of another installation, is passed over; a URL that does not fit gives nothing.
 */
export function pathValues(
  endpoint: Omit<EndpointAddress, 'method' | 'collectionId'>,
  url: string,
): PathValue[] {
  const template = segmentsOf(endpoint)
  const { path, matrix } = normalisePath(url)
  const segments = splitPathFor(template, path)
  const excess = segments.length - template.length
  const start = [0, excess].find(
    (at) =>
      at >= 0 &&
      template.every((part, i) =>
        part.kind === 'param' ? at + i < segments.length : part.value === segments[at + i],
      ),
  )
  if (start === undefined) return []
  return template.flatMap((part, index): PathValue[] => {
    if (part.kind === 'param') return [{ index, name: '', value: percentDecoded(segments[start + index]!) }]
    if (!part.value.endsWith('()')) return []
    const keys = matrix.filter(({ segment }) => segment === start + index)
    return keys.map(({ name, value }) => ({ index, name, value: percentDecoded(value) }))
  })
}

function segmentsOf({
  url,
  origin,
  isTemplate,
}: Omit<EndpointAddress, 'method' | 'collectionId'>): readonly TemplateSegment[] {
  const path = url.startsWith(origin) ? url.slice(origin.length) : url
  if (isTemplate) return parseTemplate(path === '' ? '/' : path).segments
  return splitPath(path).map((value) => ({ kind: 'literal', value }))
}
