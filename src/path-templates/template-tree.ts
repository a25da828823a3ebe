import { lexemeOf } from './lexicon.ts'
import { isLastValue, isSuffixSegment } from './path-suffix.ts'
import { formatTemplate, shapeText, type TemplateSegment } from './template.ts'
import { isVersion, type ParamType, strongType } from './token-form.ts'

/** A node of the learned templates. */
export class TemplateNode {
  readonly segment: TemplateSegment | null
  readonly parent: TemplateNode | null
  kids: Map<string, TemplateNode> | null = null
  /** Parameter children by type; more than one only while unjudged or when their answers differ. */
  params: TemplateNode[] | null = null
  /** How often weak values of this parameter are kept in observations, as far as that matters. */
  covered: Map<string, number> | null = null
  /** Segments from the start. */
  readonly depth: number
  /** Parameters among them. */
  readonly paramCount: number
  /** Endpoints that end here, by method. */
  endpoints: Map<string, Endpoint> | null = null
  /** A stated template ends here, whether used or not. */
  isStated = false
  #text: string | null = null
  #shape: string | null = null

  constructor(segment: TemplateSegment | null, parent: TemplateNode | null) {
    this.segment = segment
    this.parent = parent
    this.depth = parent === null ? 0 : parent.depth + 1
    this.paramCount = (parent?.paramCount ?? 0) + (segment?.kind === 'param' ? 1 : 0)
  }

  get isTail(): boolean {
    return this.segment?.kind === 'param' && this.segment.isTail === true
  }

  get segments(): TemplateSegment[] {
    const segments: TemplateSegment[] = []
    for (let node: TemplateNode | null = this; node?.segment; node = node.parent) segments.push(node.segment)
    return segments.reverse()
  }

  /** Wire text of the template that ends here. */
  get text(): string {
    this.#text ??= formatTemplate(this.segments)
    return this.#text
  }

  /** Text without the types of parameters. */
  get shape(): string {
    this.#shape ??= shapeText(this.segments)
    return this.#shape
  }

  /** Something ends here. */
  get isEnd(): boolean {
    return this.endpoints !== null || this.isStated
  }

  param(type: ParamType, isTail = false): TemplateNode | undefined {
    return this.params?.find((child) => child.isTail === isTail && child.type === type)
  }

  /** Type of a parameter node, null for others. */
  get type(): ParamType | null {
    return this.segment?.kind === 'param' ? this.segment.type : null
  }
}

/** One method at one template, with what decides which observations of it are kept. */
export class Endpoint {
  readonly method: string
  readonly node: TemplateNode
  retained = 0
  /** Observations with a greater rank add nothing; infinite until the endpoint was thinned out. */
  rankLimit = Number.POSITIVE_INFINITY

  constructor(method: string, node: TemplateNode) {
    this.method = method
    this.node = node
  }
}

/** Look-ups stop after this many steps: a tree made to send them back and forth must not cost more. */
const MAX_STEPS = 256

/** The templates in force: resolves paths and takes in new ones until the next evaluation. */
export class TemplateTree {
  readonly root = new TemplateNode(null, null)
  size = 1
  #steps = 0

  /** The endpoint node of a path: literal before parameter at every segment, the most specific one that has the method. */
  find(method: string, segments: readonly string[]): TemplateNode | null {
    this.#steps = 0
    return this.#search(this.root, segments, 0, method) ?? this.#searchAny(segments)
  }

  #searchAny(segments: readonly string[]): TemplateNode | null {
    this.#steps = 0
    return this.#search(this.root, segments, 0, null)
  }

  #search(
    node: TemplateNode,
    segments: readonly string[],
    at: number,
    method: string | null,
  ): TemplateNode | null {
    if (at === segments.length) {
      return (method === null ? node.isEnd : node.endpoints?.has(method)) ? node : null
    }
    if (++this.#steps > MAX_STEPS) return null
    const token = segments[at]!
    const literal = node.kids?.get(token)
    if (literal !== undefined) {
      const found = this.#search(literal, segments, at + 1, method)
      if (found) return found
    }
    if (node.params === null) return null
    const type = isStatic(token, at, segments) ? null : (strongType(token) ?? 'STRING')
    if (type === null && !node.params.some((param) => param.isTail)) return null
    for (const param of node.params) {
      if (param.isTail) {
        if (method === null ? param.isEnd : param.endpoints?.has(method)) return param
        continue
      }
      if (type === null || !takes(param, type)) continue
      const found = this.#search(param, segments, at + 1, method)
      if (found) return found
    }
    return null
  }

  /** The node of a path, made where it is missing: weak tokens as literals, strong ones as parameters. */
  insert(segments: readonly string[]): TemplateNode {
    let node = this.root
    for (let i = 0; i < segments.length; i++) {
      if (node.isTail) return node
      node = this.#step(node, segments, i)
    }
    return node
  }

  #step(node: TemplateNode, segments: readonly string[], at: number): TemplateNode {
    const token = segments[at]!
    const literal = node.kids?.get(token)
    if (literal !== undefined) return literal
    if (!isStatic(token, at, segments)) {
      const strong = strongType(token)
      const type = strong ?? 'STRING'
      const param = node.params?.find((child) => child.isTail || takes(child, type))
      if (param !== undefined) return param
      if (strong !== null) return this.addParam(node, strong)
    }
    return this.addLiteral(node, token)
  }

  addLiteral(node: TemplateNode, value: string): TemplateNode {
    const known = node.kids?.get(value)
    if (known !== undefined) return known
    const made = new TemplateNode({ kind: 'literal', value }, node)
    node.kids ??= new Map()
    node.kids.set(value, made)
    this.size++
    return made
  }

  addParam(node: TemplateNode, type: ParamType, isTail = false): TemplateNode {
    const known = node.param(type, isTail)
    if (known !== undefined) return known
    const segment: TemplateSegment = isTail ? { kind: 'param', type, isTail } : { kind: 'param', type }
    const made = new TemplateNode(segment, node)
    node.params ??= []
    node.params.push(made)
    // The narrower type first; tails last.
    node.params.sort((a, b) => breadth(a) - breadth(b))
    this.size++
    return made
  }

  /** Makes the nodes of a stated template; a parameter that is there already serves, whatever its type. */
  declare(segments: readonly TemplateSegment[]): void {
    let node = this.root
    for (const segment of segments) {
      if (segment.kind === 'literal') node = this.addLiteral(node, segment.value)
      else if (segment.isTail) node = this.addParam(node, 'STRING', true)
      else node = node.params?.find((child) => !child.isTail) ?? this.addParam(node, segment.type)
    }
    node.isStated = true
  }

  /** Makes exactly these segments. */
  insertTemplate(segments: readonly TemplateSegment[]): TemplateNode {
    let node = this.root
    for (const segment of segments) {
      node =
        segment.kind === 'literal'
          ? this.addLiteral(node, segment.value)
          : this.addParam(node, segment.type, segment.isTail)
    }
    return node
  }

  /** All nodes where something ends, in order of making. */
  ends(): TemplateNode[] {
    const ends: TemplateNode[] = []
    const stack: TemplateNode[] = [this.root]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.isEnd) ends.push(node)
      if (node.kids) stack.push(...node.kids.values())
      if (node.params) stack.push(...node.params)
    }
    return ends
  }

  /** The node of a path with every segment as it is. */
  insertLiteral(segments: readonly string[]): TemplateNode {
    let node = this.root
    for (const segment of segments) node = this.addLiteral(node, segment)
    return node
  }

  endpoint(node: TemplateNode, method: string): Endpoint {
    node.endpoints ??= new Map()
    let endpoint = node.endpoints.get(method)
    if (endpoint === undefined) {
      endpoint = new Endpoint(method, node)
      node.endpoints.set(method, endpoint)
    }
    return endpoint
  }
}

const BREADTH: Readonly<Record<ParamType, number>> = { INTEGER: 0, OBJECT_ID: 1, FLOAT: 2, STRING: 3 }

function breadth(node: TemplateNode): number {
  return node.segment?.kind === 'param' ? BREADTH[node.segment.type] + (node.isTail ? 10 : 0) : -1
}

function takes(param: TemplateNode, type: ParamType): boolean {
  if (param.segment?.kind !== 'param' || param.isTail) return false
  const own = param.segment.type
  return own === type || own === 'STRING' || (own === 'FLOAT' && type === 'INTEGER')
}

/** Reserved words and versions are never taken by a parameter. */
function isStatic(token: string, at: number, segments: readonly string[]): boolean {
  return (
    isSuffixSegment(token) ||
    isVersion(token, at === 0 ? '' : segments[at - 1]!, isLastValue(segments, at)) ||
    (token.length < 20 && lexemeOf(token).kind === 'reserved')
  )
}
