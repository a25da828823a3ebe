import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { Kind, parse } from 'graphql'

const MAX_DOCUMENT_CHARS = 100_000
const MAX_TOKENS = 10_000
const MAX_DEPTH = 100
const MAX_FIELDS_VISITED = 20_000
const MAX_REMEMBERED = 2_000
const MAX_REMEMBERED_CHARS = 8_000_000

/** One operation of a document, with its fragments followed. */
export interface GraphqlOperation {
  readonly type: 'query' | 'mutation' | 'subscription'
  /** The client's name for it; '' when it has none. */
  readonly name: string
  /** Names of the fields at the top, each once, without aliases. */
  readonly fields: readonly string[]
  readonly depth: number
  readonly aliases: number
  readonly isIntrospection: boolean
}

const remembered = new Map<string, readonly GraphqlOperation[] | null>()
let rememberedChars = 0

/** Operations of a GraphQL document; undefined when the text is none. Documents met before are not parsed again. */
export function graphqlOperations(text: string): readonly GraphqlOperation[] | undefined {
  const known = remembered.get(text)
  if (known !== undefined) return known ?? undefined
  const operations = looksLikeDocument(text) ? parseOperations(text) : null
  if (remembered.size >= MAX_REMEMBERED || rememberedChars > MAX_REMEMBERED_CHARS) {
    remembered.clear()
    rememberedChars = 0
  }
  remembered.set(text, operations)
  rememberedChars += text.length
  return operations ?? undefined
}

const OPENING = /^[\s,]*(?:#|\{|(?:query|mutation|subscription|fragment)\b)/

/** A search text under the key `query` is far more frequent than a document: dismissed by its first word. */
function looksLikeDocument(text: string): boolean {
  return text.length <= MAX_DOCUMENT_CHARS && OPENING.test(text.slice(0, 256))
}

function parseOperations(text: string): readonly GraphqlOperation[] | null {
  let document: DocumentNode
  try {
    document = parse(text, { noLocation: true, maxTokens: MAX_TOKENS })
  } catch {
    // No GraphQL, or over the limits: the caller treats it as any other text.
    return null
  }
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  return operations.length === 0 ? null : operations.map((operation) => new Survey(fragments).of(operation))
}

/** Walks the selections of one operation. */
class Survey {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #fields = new Set<string>()
  /** Fragments being followed, so that a cycle ends. */
  readonly #following = new Set<string>()
  #depth = 0
  #aliases = 0
  #visited = 0

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments
  }

  of(operation: OperationDefinitionNode): GraphqlOperation {
    this.#visit(operation.selectionSet, 1)
    const fields = [...this.#fields]
    return {
      type: operation.operation,
      name: operation.name?.value ?? '',
      fields,
      depth: this.#depth,
      aliases: this.#aliases,
      isIntrospection: fields.some((field) => field === '__schema' || field === '__type'),
    }
  }

  #visit(set: SelectionSetNode, depth: number): void {
    if (depth > MAX_DEPTH || this.#visited > MAX_FIELDS_VISITED) return
    if (depth > this.#depth) this.#depth = depth
    for (const selection of set.selections) {
      this.#visited++
      if (selection.kind === Kind.FIELD) {
        if (depth === 1) this.#fields.add(selection.name.value)
        if (selection.alias !== undefined) this.#aliases++
        if (selection.selectionSet !== undefined) this.#visit(selection.selectionSet, depth + 1)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) this.#visit(selection.selectionSet, depth)
      else this.#follow(selection.name.value, depth)
    }
  }

  #follow(name: string, depth: number): void {
    const fragment = this.#fragments.get(name)
    if (fragment === undefined || this.#following.has(name)) return
    this.#following.add(name)
    this.#visit(fragment.selectionSet, depth)
    this.#following.delete(name)
  }
}
