import { percentDecoded } from '../../kit/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { isScalar, type JsonTree, readTree, scalarText, writeTree } from '../attempts/json-tree.ts'
import { replaceWithin } from './segment-values.ts'

/** The request with recorded values replaced by those of this run, wherever they stand as a whole. */
export function refreshDraft(draft: RequestDraft, changes: ReadonlyMap<string, string>): RequestDraft {
  if (changes.size === 0) return draft
  const [origin, path] = splitUrl(draft.url)
  return {
    ...draft,
    url:
      origin +
      path
        .split('/')
        .map((segment) => changedSegment(segment, changes))
        .join('/'),
    query: draft.query
      .split('&')
      .map((pair) => changedPair(pair, '=', changes))
      .join('&'),
    headers: draft.headers.map(({ name, value }) => ({ name, value: changedHeader(name, value, changes) })),
    body: { ...draft.body, text: changedBody(draft.body.text, changes) },
  }
}

function splitUrl(url: string): [origin: string, path: string] {
  const end = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(url)?.[0].length ?? 0
  return [url.slice(0, end), url.slice(end)]
}

/** A segment as a whole, else the values in it. */
function changedSegment(segment: string, changes: ReadonlyMap<string, string>): string {
  const whole = changedPart(segment, changes)
  return whole === segment ? replaceWithin(segment, (value) => changedPart(value, changes)) : whole
}

/** A part of a URL; recorded ones may be percent-encoded. */
function changedPart(part: string, changes: ReadonlyMap<string, string>): string {
  const fresh = changes.get(part) ?? changes.get(percentDecoded(part))
  return fresh === undefined ? part : encodeURIComponent(fresh)
}

function changedPair(pair: string, sign: string, changes: ReadonlyMap<string, string>): string {
  const at = pair.indexOf(sign)
  return at < 0 ? pair : pair.slice(0, at + 1) + changedPart(pair.slice(at + 1), changes)
}

/** The whole value, its last word (`Bearer …`), or the values of cookies. */
function changedHeader(name: string, value: string, changes: ReadonlyMap<string, string>): string {
  if (name.toLowerCase() === 'cookie')
    return value
      .split('; ')
      .map((pair) => {
        const at = pair.indexOf('=')
        return pair.slice(0, at + 1) + (changes.get(pair.slice(at + 1)) ?? pair.slice(at + 1))
      })
      .join('; ')
  const space = value.lastIndexOf(' ') + 1
  return changes.get(value) ?? value.slice(0, space) + (changes.get(value.slice(space)) ?? value.slice(space))
}

function changedBody(text: string, changes: ReadonlyMap<string, string>): string {
  const tree = readTree(text)
  return tree === undefined ? text : writeTree(changedTree(tree, changes))
}

function changedTree(tree: JsonTree, changes: ReadonlyMap<string, string>): JsonTree {
  if (Array.isArray(tree)) return tree.map((item) => changedTree(item, changes))
  if (tree instanceof Map) return new Map([...tree].map(([key, value]) => [key, changedTree(value, changes)]))
  if (!isScalar(tree) || tree === null || typeof tree === 'boolean') return tree
  const fresh = changes.get(scalarText(tree))
  if (fresh === undefined) return tree
  // What was a number stays one, digit by digit.
  return typeof tree === 'string' ? fresh : (readTree(fresh) ?? fresh)
}
