import type { ASTVisitor, DocumentNode, FieldNode, SelectionNode, SelectionSetNode } from 'graphql'
import { GraphQLError, Kind, parse, print, visit } from 'graphql'
import { setBody } from '../attempts/body-edits.ts'
import { readTree, writeTree } from '../attempts/json-tree.ts'
import type { RequestDraft } from '../attempts/request-draft.ts'

/** Most tokens of a document that is parsed. */
const MAX_TOKENS = 20_000

/** Edits one parsed document; null when nothing in it fits. */
type GraphqlEdit = (document: DocumentNode) => DocumentNode | null

/** Runs an edit on the `query` of the body, or of each entry of a batch; false when none changed. */
export function editGraphql(draft: RequestDraft, edit: GraphqlEdit): boolean {
  const root = readTree(draft.body.text)
  let isChanged = false
  for (const entry of Array.isArray(root) ? root : [root]) {
    const query = entry instanceof Map ? entry.get('query') : undefined
    if (!(entry instanceof Map) || typeof query !== 'string') continue
    const document = parsed(query)
    const edited = document === null ? null : edit(document)
    if (edited === null) continue
    entry.set('query', print(edited))
    isChanged = true
  }
  if (isChanged) setBody(draft, writeTree(root!))
  return isChanged
}

/** Adds selections to every field of a name or alias and every inline fragment on a type of that name. */
export function addToSelections(field: string, text: string, onlyMissing: boolean): GraphqlEdit {
  return edited((change) => {
    const added = selectionsOf(text)
    const extend = (set: SelectionSetNode | undefined): SelectionSetNode | undefined => {
      const present = set?.selections ?? []
      const written = new Set(present.map(print))
      const fresh = onlyMissing ? added.filter((selection) => !written.has(print(selection))) : added
      if (fresh.length === 0) return undefined
      change()
      return { kind: Kind.SELECTION_SET, selections: [...present, ...fresh] }
    }
    return {
      Field: {
        leave(node) {
          const set = isNamed(node, field) ? extend(node.selectionSet) : undefined
          return set === undefined ? undefined : { ...node, selectionSet: set }
        },
      },
      InlineFragment: {
        leave(node) {
          const set = node.typeCondition?.name.value === field ? extend(node.selectionSet) : undefined
          return set === undefined ? undefined : { ...node, selectionSet: set }
        },
      },
    }
  })
}

/** Puts selections in place of every field of a name or alias; none for an empty text. */
export function replaceSelections(field: string, text: string): GraphqlEdit {
  return edited((change) => {
    const fresh = selectionsOf(text)
    return {
      SelectionSet: {
        leave(node) {
          const selections = node.selections.flatMap((selection) =>
            selection.kind === Kind.FIELD && isNamed(selection, field) ? fresh : [selection],
          )
          const isSame =
            selections.length === node.selections.length &&
            selections.every((s, i) => s === node.selections[i])
          if (isSame) return undefined
          change()
          return { ...node, selections }
        },
      },
    }
  })
}

function edited(visitorOf: (change: () => void) => ASTVisitor): GraphqlEdit {
  return (document) => {
    let isChanged = false
    const result = visit(
      document,
      visitorOf(() => {
        isChanged = true
      }),
    )
    return isChanged ? result : null
  }
}

function isNamed(node: FieldNode, name: string): boolean {
  return node.name.value === name || node.alias?.value === name
}

/** The selections that a text such as `id name { first }` stands for; none when it is not GraphQL. */
function selectionsOf(text: string): readonly SelectionNode[] {
  const definition = text.trim() === '' ? undefined : parsed(`{ ${text} }`)?.definitions[0]
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : []
}

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query, { maxTokens: MAX_TOKENS, noLocation: true })
  } catch (error) {
    if (error instanceof GraphQLError) return null
    throw error
  }
}
