import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'

const MAX_TOKENS = 20_000
const MAX_FRAGMENT_DEPTH = 10

/** A GraphQL document cut down to one field at the top. */
interface NarrowedDocument {
  readonly text: string
  /** Keys of the field in the answer: its aliases, or its name. */
  readonly keys: ReadonlySet<string>
  /** Variables that the cut operation still uses. */
  readonly variables: ReadonlySet<string>
}

/** `query/field` for every field at the top of the operations that a request runs; none when it is not a document. */
export function topFieldsOf(text: string, operationName: string | null): string[] {
  const document = parsed(text)
  if (document === null) return []
  return operationsOf(document, operationName).flatMap((one) =>
    fieldsAtTop(document, one.selectionSet).map((field) => `${one.operation}/${field.name.value}`),
  )
}

/**
 * A document that asks for several things at once (GraphQL of October 2021, section 6.3), cut down to the field of
 * `query/field`: variables and fragments that nothing uses any more are left out, for they are errors (section 5.8.4).
 *
 * @param wanted type of the operation and name of the field, `mutation/pay`
 * @returns null when it asks for nothing else, or not for the field
 */
export function narrowDocument(
  text: string,
  operationName: string | null,
  wanted: string,
): NarrowedDocument | null {
  const document = parsed(text)
  if (document === null) return null
  const asks = (one: OperationDefinitionNode) =>
    fieldsAtTop(document, one.selectionSet).some(({ name }) => `${one.operation}/${name.value}` === wanted)
  const operation = operationsOf(document, operationName).find(asks)
  if (operation === undefined) return null
  const field = wanted.slice(operation.operation.length + 1)
  const all = fieldsAtTop(document, operation.selectionSet)
  if (all.every(({ name }) => name.value === field)) return null
  const selectionSet = onlyField(document, operation.selectionSet, field, 0)
  const used = usesOf(document, selectionSet)
  const cut: OperationDefinitionNode = {
    ...operation,
    selectionSet,
    variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) =>
      used.variables.has(variable.name.value),
    ),
  }
  const fragments = document.definitions.filter(
    (one) => one.kind === Kind.FRAGMENT_DEFINITION && used.fragments.has(one.name.value),
  )
  return {
    text: print({ ...document, definitions: [cut, ...fragments] }),
    keys: new Set(
      all.filter(({ name }) => name.value === field).map(({ alias, name }) => (alias ?? name).value),
    ),
    variables: used.variables,
  }
}

function operationsOf(document: DocumentNode, name: string | null): OperationDefinitionNode[] {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const named = operations.filter((one) => name !== null && one.name?.value === name)
  return named.length > 0 ? named : operations
}

function fieldsAtTop(document: DocumentNode, set: SelectionSetNode, depth = 0) {
  if (depth > MAX_FRAGMENT_DEPTH) return []
  return set.selections.flatMap((selection): Extract<SelectionNode, { kind: Kind.FIELD }>[] => {
    if (selection.kind === Kind.FIELD) return [selection]
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentOf(document, selection.name.value)
    return inner === undefined ? [] : fieldsAtTop(document, inner.selectionSet, depth + 1)
  })
}

/** The selections of one field; fragments at the top that hold it are written out. */
function onlyField(
  document: DocumentNode,
  set: SelectionSetNode,
  field: string,
  depth: number,
): SelectionSetNode {
  const selections = set.selections.flatMap((selection): SelectionNode[] => {
    if (selection.kind === Kind.FIELD) return selection.name.value === field ? [selection] : []
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentOf(document, selection.name.value)
    if (inner === undefined || depth > MAX_FRAGMENT_DEPTH) return []
    const selectionSet = onlyField(document, inner.selectionSet, field, depth + 1)
    if (selectionSet.selections.length === 0) return []
    return [
      {
        kind: Kind.INLINE_FRAGMENT,
        ...(inner.typeCondition === undefined ? {} : { typeCondition: inner.typeCondition }),
        directives: selection.directives ?? [],
        selectionSet,
      },
    ]
  })
  return { ...set, selections }
}

function fragmentOf(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name,
  )
}

/** Variables and fragments that a selection uses, those of its fragments included. */
function usesOf(
  document: DocumentNode,
  set: SelectionSetNode,
): { variables: Set<string>; fragments: Set<string> } {
  const uses = { variables: new Set<string>(), fragments: new Set<string>() }
  const open: (SelectionSetNode | FragmentDefinitionNode)[] = [set]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node, {
      Variable: ({ name }) => void uses.variables.add(name.value),
      FragmentSpread({ name }) {
        if (uses.fragments.has(name.value)) return
        uses.fragments.add(name.value)
        const fragment = fragmentOf(document, name.value)
        if (fragment !== undefined) open.push(fragment)
      },
    })
  }
  return uses
}

function parsed(text: string): DocumentNode | null {
  try {
    return parse(text, { maxTokens: MAX_TOKENS, noLocation: true })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return null // no document: it asks for nothing that has a name
  }
}
