import {
  buildASTSchema,
  buildClientSchema,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type IntrospectionQuery,
  Kind,
  parse,
  visit,
} from 'graphql'
import { Failure } from '../../kit/index.ts'
import { unreadable } from '../failures.ts'
import { parseJsonDocument } from '../json-document.ts'
import { asObject, own } from '../untrusted-value.ts'

/** A description with more tokens is refused; the schemas of large public APIs have about 400,000. */
const MAX_TOKENS = 1_000_000

/** A schema that was read, and what was odd about it. */
interface ReadSchema {
  readonly schema: GraphQLSchema
  readonly warnings: readonly string[]
}

/**
 * Reads a GraphQL description: the schema definition language, or the JSON answer to an introspection query.
 * @throws Failure INVALID_GRAPHQL
 */
export function readGraphqlSchema(text: string): ReadSchema {
  try {
    return /^\s*\{/.test(text) ? readIntrospection(text) : readDefinitions(text)
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error)) throw error
    const [at] = error instanceof GraphQLError ? (error.locations ?? []) : []
    const where = at === undefined ? '' : `line ${at.line}, column ${at.column}`
    const reason = error instanceof RangeError ? 'it is nested too deep' : error.message
    throw unreadable('graphql', reason.replace(/^Syntax Error: /, '').slice(0, 300), where, error)
  }
}

function readIntrospection(text: string): ReadSchema {
  const { value, warnings } = parseJsonDocument(text, 'graphql')
  const outer = asObject(value)
  const answer = own(outer, '__schema') === undefined ? asObject(own(outer, 'data')) : outer
  if (asObject(own(answer, '__schema')) === undefined)
    throw unreadable('graphql', 'it is not the answer to an introspection query: "__schema" is missing')
  return {
    schema: buildClientSchema(answer as unknown as IntrospectionQuery, { assumeValid: true }),
    warnings,
  }
}

/** Parts of a larger schema are read too: what only extends a type defines it, and unknown types count as scalars. */
function readDefinitions(text: string): ReadSchema {
  const document = parse(text, { maxTokens: MAX_TOKENS })
  const defined = new Set(document.definitions.flatMap((one) => nameOf(one) ?? []))
  const definitions = document.definitions.map((one): DefinitionNode => {
    if (one.kind !== Kind.OBJECT_TYPE_EXTENSION || defined.has(one.name.value)) return one
    defined.add(one.name.value)
    return { ...one, kind: Kind.OBJECT_TYPE_DEFINITION }
  })
  const unknown = namedTypes(document).filter((name) => !defined.has(name) && !BUILT_IN.has(name))
  const scalars = unknown.map(
    (value): DefinitionNode => ({
      kind: Kind.SCALAR_TYPE_DEFINITION,
      name: { kind: Kind.NAME, value },
    }),
  )
  const whole: DocumentNode = { ...document, definitions: [...definitions, ...scalars] }
  return {
    schema: buildASTSchema(whole, { assumeValid: true, assumeValidSDL: true }),
    warnings: unknown.map((name) => `the type ${name} is not defined; it is taken for a scalar`),
  }
}

const BUILT_IN = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])

function nameOf(definition: DefinitionNode): string | null {
  const isType = definition.kind.endsWith('TypeDefinition') && 'name' in definition
  return isType ? (definition.name?.value ?? null) : null
}

function namedTypes(document: DocumentNode): string[] {
  const names = new Set<string>()
  visit(document, { [Kind.NAMED_TYPE]: ({ name }) => void names.add(name.value) })
  return [...names]
}
