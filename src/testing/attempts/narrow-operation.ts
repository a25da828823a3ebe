import { type DocumentNode, GraphQLError, Kind, parse, type SelectionSetNode } from 'graphql'
import { type Exchange, originForm } from '../../http/index.ts'
import { type JsonTree, readTree, writeTree } from './json-tree.ts'

const MAX_TOKENS = 20_000
const MAX_FRAGMENT_DEPTH = 10

/**
 * A sample that asks for several things at once, narrowed to the one that its endpoint stands for: of a GraphQL batch
 * the entry with the field of `…/query/field`, of a JSON-RPC batch (version 2.0, section 6) the call of the method at
 * the end of the URL. The answer is narrowed alike, GraphQL by position, JSON-RPC by id. Any other sample stays.
 *
 * @param url URL or template of the endpoint
 */
export function narrowSample(sample: Exchange, url: string): Exchange {
  const { request, response } = sample
  if (request.bodyIsBase64 === true || !/^\s*\[/.test(request.body)) return sample
  const suffix = suffixOf(url, request.target)
  const batch = suffix === '' ? undefined : readTree(request.body)
  if (!Array.isArray(batch) || batch.length < 2) return sample
  const index = batch.findIndex((entry) => entry instanceof Map && asksFor(entry, suffix))
  if (index < 0) return sample
  const entry = batch[index] as Map<string, JsonTree>
  const body = writeTree([entry])
  const answers = response.bodyIsBase64 === true ? undefined : readTree(response.body)
  const answer = Array.isArray(answers) ? answerTo(entry, index, answers, batch.length) : undefined
  return {
    ...sample,
    request: { ...request, body },
    ...(answer === undefined ? {} : { response: { ...response, body: writeTree([answer]) } }),
  }
}

/** What follows the path of the request in the URL of its endpoint. */
function suffixOf(url: string, target: string): string {
  const path = originForm(url).split(/[?#]/)[0] ?? ''
  const own = originForm(target).split(/[?#]/)[0] ?? ''
  const count = segments(own).length
  return segments(path).slice(count).join('/')
}

function segments(path: string): string[] {
  return path
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .filter((segment) => segment !== '')
}

function asksFor(entry: Map<string, JsonTree>, suffix: string): boolean {
  const query = entry.get('query')
  if (typeof query === 'string') return fieldsOf(query, entry.get('operationName')).includes(suffix)
  const method = entry.get('method')
  if (!entry.has('jsonrpc') || typeof method !== 'string') return false
  // A call of a tool (Model Context Protocol) has the tool's name behind the method.
  const parameters = entry.get('params')
  const tool = parameters instanceof Map ? parameters.get('name') : undefined
  return suffix === method || (typeof tool === 'string' && suffix === `${method}/${tool}`)
}

/** `query/field` for every field at the top of the operations that a request runs. */
function fieldsOf(text: string, operationName: JsonTree | undefined): string[] {
  const document = parsed(text)
  if (document === null) return []
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const named = operations.filter((one) => one.name?.value === operationName)
  return (named.length > 0 ? named : operations).flatMap(({ operation, selectionSet }) =>
    topFields(document, selectionSet, 0).map((field) => `${operation}/${field}`),
  )
}

function topFields(document: DocumentNode, set: SelectionSetNode, depth: number): string[] {
  if (depth > MAX_FRAGMENT_DEPTH) return []
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value]
    if (selection.kind === Kind.INLINE_FRAGMENT) return topFields(document, selection.selectionSet, depth + 1)
    const fragment = document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION
      ? topFields(document, fragment.selectionSet, depth + 1)
      : []
  })
}

function parsed(text: string): DocumentNode | null {
  try {
    return parse(text, { maxTokens: MAX_TOKENS, noLocation: true })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return null // no document: it asks for nothing that has a name
  }
}

function answerTo(
  entry: Map<string, JsonTree>,
  index: number,
  answers: readonly JsonTree[],
  count: number,
): JsonTree | undefined {
  if (!entry.has('jsonrpc')) return answers.length === count ? answers[index] : undefined
  const id = entry.get('id')
  return id === undefined ? undefined : answers.find((one) => one instanceof Map && one.get('id') === id)
}
