import type { Exchange, HeaderList } from '../../http/index.ts'
import { absoluteUrl } from '../../http/index.ts'
import { compilePattern, MessageView } from '../../rules/index.ts'
import type { JsonTree } from '../attempts/json-tree.ts'
import { isScalar, readTree, scalarText, writeTree } from '../attempts/json-tree.ts'
import type { SampleLookup } from '../template/template.ts'

/** Most distinct values of one look-up; names of fields are not capped so tightly. */
const MAX_FOUND = 10
const MAX_NAMES = 1000

/**
 * Distinct values found under a key in requests and responses, in the order found, at most ten; for `terminal_keys` the
 * names of the scalar fields inside every object of that key in responses. Objects and lists are JSON text.
 */
export function findInSamples(lookup: SampleLookup, samples: Iterable<Exchange>): string[] {
  const matches = matcherOf(lookup)
  const limit = lookup.location === 'terminal_keys' ? MAX_NAMES : MAX_FOUND
  const found = new Set<string>()
  if (matches === null) return []
  for (const sample of samples) {
    for (const value of valuesIn(sample, lookup.location, matches)) {
      if (value !== '') found.add(value)
      if (found.size >= limit) return [...found]
    }
  }
  return [...found]
}

type Matcher = (name: string) => boolean

function matcherOf({ key }: SampleLookup): Matcher | null {
  if ('name' in key) {
    const wanted = key.name.toLowerCase()
    return (name) => name.toLowerCase() === wanted
  }
  const pattern = compilePattern(key.pattern)
  return typeof pattern === 'string' ? null : (name) => pattern.test(name)
}

function* valuesIn(sample: Exchange, location: SampleLookup['location'], matches: Matcher): Iterable<string> {
  const view = new MessageView(sample)
  const bodies = [view.requestBody.text, view.responseBody.text].map(readTree)
  if (location === 'terminal_keys') {
    yield* fieldNames(bodies[1] ?? null, matches)
    return
  }
  if (location === null || location === 'query_param') yield* queryValues(sample, matches)
  if (location === null || location === 'header') {
    yield* headerValuesOf(sample.request.headers, matches)
    yield* headerValuesOf(sample.response.headers, matches)
  }
  if (location === null || location === 'payload')
    for (const body of bodies) if (body !== undefined) yield* payloadValues(body, matches)
}

function* headerValuesOf(headers: HeaderList, matches: Matcher): Iterable<string> {
  for (let i = 0; i + 1 < headers.length; i += 2) if (matches(headers[i]!)) yield headers[i + 1]!
}

function* queryValues(sample: Exchange, matches: Matcher): Iterable<string> {
  const url = absoluteUrl(sample.request)
  const mark = url.indexOf('?')
  if (mark < 0) return
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) if (matches(name)) yield value
}

function* payloadValues(tree: JsonTree, matches: Matcher): Iterable<string> {
  if (Array.isArray(tree)) for (const item of tree) yield* payloadValues(item, matches)
  if (!(tree instanceof Map)) return
  for (const [key, value] of tree) {
    if (matches(key) && value !== null) yield isScalar(value) ? scalarText(value) : writeTree(value)
    yield* payloadValues(value, matches)
  }
}

function* fieldNames(tree: JsonTree, matches: Matcher): Iterable<string> {
  if (Array.isArray(tree)) for (const item of tree) yield* fieldNames(item, matches)
  if (!(tree instanceof Map)) return
  for (const [key, value] of tree) {
    if (matches(key))
      for (const inner of Array.isArray(value) ? value : [value])
        if (inner instanceof Map) for (const [name, leaf] of inner) if (isScalar(leaf)) yield name
    yield* fieldNames(value, matches)
  }
}
