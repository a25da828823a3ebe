import { type Exchange, originForm } from '../../http/index.ts'
import { type JsonTree, readTree, writeTree } from './json-tree.ts'
import { narrowDocument, topFieldsOf } from './narrow-document.ts'

/**
 * A sample that asks for several things at once, narrowed to the one that its endpoint stands for: of a GraphQL batch
 * the entry with the field of `…/query/field`, of a document with several fields at the top that field, of a JSON-RPC
 * batch (version 2.0, section 6) the call of the method at the end of the URL. The answer is narrowed alike, GraphQL by
 * position and key, JSON-RPC by id. Any other sample stays.
 *
 * @param url URL or template of the endpoint
 */
export function narrowSample(sample: Exchange, url: string): Exchange {
  const { request, response } = sample
  if (request.bodyIsBase64 === true || !/^\s*[[{]/.test(request.body)) return sample
  const suffix = suffixOf(url, request.target)
  const asked = suffix === '' ? undefined : readTree(request.body)
  const answered = response.bodyIsBase64 === true ? undefined : readTree(response.body)
  const narrowed = Array.isArray(asked)
    ? narrowBatch(asked, answered, suffix)
    : asked instanceof Map
      ? narrowRequest(asked, answered, suffix)
      : null
  if (narrowed === null) return sample
  const { answer } = narrowed
  return {
    ...sample,
    request: { ...request, body: writeTree(narrowed.asked) },
    ...(answer === undefined ? {} : { response: { ...response, body: writeTree(answer) } }),
  }
}

/** A request and its answer; undefined leaves the answer as it is. */
interface Narrowed {
  readonly asked: JsonTree
  readonly answer: JsonTree | undefined
}

function narrowBatch(
  batch: readonly JsonTree[],
  answered: JsonTree | undefined,
  suffix: string,
): Narrowed | null {
  const index = batch.findIndex((entry) => entry instanceof Map && asksFor(entry, suffix))
  const entry = batch[index]
  if (!(entry instanceof Map)) return null
  const answer = Array.isArray(answered) ? answerTo(entry, index, answered, batch.length) : undefined
  const inner = narrowRequest(entry, answer, suffix)
  if (batch.length < 2 && inner === null) return null
  const ownAnswer = inner?.answer ?? answer
  return { asked: [inner?.asked ?? entry], answer: ownAnswer === undefined ? undefined : [ownAnswer] }
}

/** A GraphQL request with several fields at the top, asking for one of them. */
function narrowRequest(
  entry: Map<string, JsonTree>,
  answered: JsonTree | undefined,
  suffix: string,
): Narrowed | null {
  const query = entry.get('query')
  if (typeof query !== 'string') return null
  const document = narrowDocument(query, nameOf(entry), suffix)
  if (document === null) return null
  const asked = new Map(entry).set('query', document.text)
  const variables = entry.get('variables')
  if (variables instanceof Map) {
    asked.set('variables', new Map([...variables].filter(([name]) => document.variables.has(name))))
  }
  return {
    asked,
    answer: answered instanceof Map ? narrowAnswer(answered, document.keys) : undefined,
  }
}

/** Data and errors of the kept keys; errors without a path concern the whole request. */
function narrowAnswer(answer: Map<string, JsonTree>, keys: ReadonlySet<string>): JsonTree {
  const narrowed = new Map(answer)
  const data = answer.get('data')
  if (data instanceof Map) narrowed.set('data', new Map([...data].filter(([key]) => keys.has(key))))
  const errors = answer.get('errors')
  if (Array.isArray(errors)) {
    const own = errors.filter((error) => {
      const path = error instanceof Map ? error.get('path') : undefined
      return !Array.isArray(path) || keys.has(String(path[0]))
    })
    if (own.length === 0) narrowed.delete('errors')
    else narrowed.set('errors', own)
  }
  return narrowed
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
  if (typeof query === 'string') return topFieldsOf(query, nameOf(entry)).includes(suffix)
  const method = entry.get('method')
  if (!entry.has('jsonrpc') || typeof method !== 'string') return false
  // A call of a tool (Model Context Protocol) has the tool's name behind the method.
  const parameters = entry.get('params')
  const tool = parameters instanceof Map ? parameters.get('name') : undefined
  return suffix === method || (typeof tool === 'string' && suffix === `${method}/${tool}`)
}

function nameOf(entry: Map<string, JsonTree>): string | null {
  const name = entry.get('operationName')
  return typeof name === 'string' ? name : null
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
